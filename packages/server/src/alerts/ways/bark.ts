import { codedRefusal } from './coded-answer.ts'
import type { HttpWay } from './way.ts'

/** Bark on a phone. The address is the one that the app shows: a server, and behind it the key of the device. */
export const bark: HttpWay = {
  request({ address }, { title, lines, link }) {
    const url = new URL(address)
    const parts = url.pathname.split('/').filter((part) => part !== '')
    const device_key = decodeURIComponent(parts.pop() ?? '')
    url.pathname = [...parts, 'push'].map((part) => `/${part}`).join('')
    url.search = ''
    return { url: url.href, body: JSON.stringify({ device_key, title, body: lines.join('\n'), url: link }) }
  },
  refusal: codedRefusal({ codes: ['code'], words: ['message'], accepted: 200, passing: [] }),
}
