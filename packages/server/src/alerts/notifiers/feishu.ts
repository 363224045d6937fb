import { createHmac } from 'node:crypto'
import { plainText } from '../alert-message.ts'
import { codedRefusal } from './coded-answer.ts'
import type { HttpNotifier } from './notifier.ts'

/** A custom bot of a Feishu or Lark group. Its signature uses as key what others sign as text. */
export const feishu: HttpNotifier = {
  request({ address, secret }, message, { at }) {
    const timestamp = String(Math.floor(at / 1000))
    const sign = createHmac('sha256', `${timestamp}\n${secret}`).digest('base64')
    const content = { msg_type: 'text', content: { text: plainText(message) } }
    return { url: address, body: JSON.stringify(secret === '' ? content : { timestamp, sign, ...content }) }
  },
  refusal: codedRefusal({
    codes: ['code', 'StatusCode'],
    messages: ['msg', 'StatusMessage'],
    accepted: 0,
    retriable: [11232],
  }),
}
