import type { HttpWay } from './way.ts'
import { statusRefusal } from './way.ts'

/** An incoming webhook of Slack, which says in one word what is wrong. */
export const slack: HttpWay = {
  request({ address }, { title, lines, link }) {
    const text = [`*${escaped(title)}*`, ...lines.map(escaped), `<${escaped(link)}>`].join('\n')
    return { url: address, body: JSON.stringify({ text }) }
  },
  refusal(status, text) {
    const said = text.trim()
    const byStatus = statusRefusal(status, said)
    if (byStatus !== undefined || said === 'ok') return byStatus
    return { error: said === '' ? 'The answer is not one of this service' : said, final: false }
  },
}

/** What Slack reads as its own signs. */
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
