import { plainText } from '../alert-message.ts'
import { atMost, type HttpNotifier, members, statusRefusal } from './notifier.ts'

const TEXT_MAX = 4096

/** A bot: the address is the chat, the secret the bot's token, which Telegram expects in the path. */
export const telegram = (base: string): HttpNotifier => ({
  request: ({ address, secret }, message) => ({
    url: `${base}/bot${secret}/sendMessage`,
    body: JSON.stringify({
      chat_id: address,
      text: atMost(plainText(message), TEXT_MAX),
      link_preview_options: { is_disabled: true },
    }),
  }),
  refusal(status, text) {
    const { ok, description } = members(text)
    const message = typeof description === 'string' ? description : ''
    const byStatus = statusRefusal(status, message)
    if (byStatus !== undefined || ok === true) return byStatus
    return { error: message === '' ? 'The answer is not one of this service' : message, final: false }
  },
})
