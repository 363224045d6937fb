import { codedRefusal } from './coded-answer.ts'
import type { HttpNotifier } from './notifier.ts'

/** Bark for phones. The address is the one shown in the app: a server, followed by the device key. */
export const bark: HttpNotifier = {
  request({ address }, { title, lines, link }) {
    const url = new URL(address)
    const parts = url.pathname.split('/').filter((part) => part !== '')
    const device_key = decodeURIComponent(parts.pop() ?? '')
    url.pathname = [...parts, 'push'].map((part) => `/${part}`).join('')
    url.search = ''
    return { url: url.href, body: JSON.stringify({ device_key, title, body: lines.join('\n'), url: link }) }
  },
  refusal: codedRefusal({ codes: ['code'], messages: ['message'], accepted: 200, retriable: [] }),
}
