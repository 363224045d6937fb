import { createHmac } from 'node:crypto'
import { type HttpNotifier, statusRefusal } from './notifier.ts'

/**
 * The operator's own program. The signature proves that a message is ours and recent, and the delivery id identifies
 * duplicates.
 */
export const webhook: HttpNotifier = {
  request({ address, secret }, message, { at, deliveryId }) {
    const timestamp = String(Math.floor(at / 1000))
    const { event, kind, subject, title, lines, link, language } = message
    const text = lines.join('\n')
    const body = JSON.stringify({
      ...{ id: deliveryId, event, kind, subject, title, text, link, language },
      created_at: message.at,
    })
    const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
    return {
      url: address,
      body,
      headers: {
        'x-tollgate-delivery': String(deliveryId),
        'x-tollgate-timestamp': timestamp,
        'x-tollgate-signature': `sha256=${signature}`,
      },
    }
  },
  refusal: (status) => statusRefusal(status, ''),
}
