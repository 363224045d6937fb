import type { HttpNotifier } from './notifier.ts'
import { statusRefusal } from './notifier.ts'

/** A Slack incoming webhook, which reports errors in a single word. */
export const slack: HttpNotifier = {
  request({ address }, { title, lines, link }) {
    const text = [`*${escaped(title)}*`, ...lines.map(escaped), `<${escaped(link)}>`].join('\n')
    return { url: address, body: JSON.stringify({ text }) }
  },
  refusal(status, text) {
    const message = text.trim()
    const byStatus = statusRefusal(status, message)
    if (byStatus !== undefined || message === 'ok') return byStatus
    return { error: message === '' ? 'The answer is not one of this service' : message, final: false }
  },
}

/** Slack's control characters. */
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
