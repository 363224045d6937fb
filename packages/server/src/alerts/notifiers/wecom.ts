import { plainText } from '../alert-message.ts'
import { codedRefusal } from './coded-answer.ts'
import { atMost, type HttpNotifier } from './notifier.ts'

/** 2048 bytes, of which a Chinese character takes three. */
const TEXT_MAX = 680

/** A robot of a WeCom group. */
export const wecom: HttpNotifier = {
  request({ address }, message) {
    const content = atMost(plainText(message), TEXT_MAX)
    return { url: address, body: JSON.stringify({ msgtype: 'text', text: { content } }) }
  },
  refusal: codedRefusal({ codes: ['errcode'], messages: ['errmsg'], accepted: 0, retriable: [-1, 45009] }),
}
