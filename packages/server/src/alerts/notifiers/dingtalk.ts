import { createHmac } from 'node:crypto'
import { plainText } from '../alert-message.ts'
import { codedRefusal } from './coded-answer.ts'
import type { HttpNotifier } from './notifier.ts'

/** A custom robot of a DingTalk group. */
export const dingtalk: HttpNotifier = {
  request({ address, secret }, message, { at }) {
    const url = new URL(address)
    if (secret !== '') {
      url.searchParams.set('timestamp', String(at))
      url.searchParams.set('sign', createHmac('sha256', secret).update(`${at}\n${secret}`).digest('base64'))
    }
    return { url: url.href, body: JSON.stringify({ msgtype: 'text', text: { content: plainText(message) } }) }
  },
  refusal: codedRefusal({ codes: ['errcode'], messages: ['errmsg'], accepted: 0, retriable: [-1, 130101, 410100] }),
}
