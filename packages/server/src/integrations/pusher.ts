import { z } from 'zod'
import { GatewayError } from '../common/errors.ts'
import { type ExternalServices, toUrl } from './addresses.ts'
import { read, remoteJson } from './remote-json.ts'

export interface PusherMessage {
  address: string
  token: string
  title: string
  description: string
  content: string
}

export type Pusher = ReturnType<typeof createPusher>

const Reply = z.object({ success: z.boolean() })

/** The operator's own Message Pusher, which forwards a notification to a phone. */
export function createPusher({ http }: Pick<ExternalServices, 'http'>) {
  return {
    async push({ address, token, title, description, content }: PusherMessage): Promise<void> {
      const url = toUrl(address)
      const { status, json } = await remoteJson(http, url, {
        method: 'POST',
        body: { title, description, content, url: '', channel: '', token },
      })
      if (read(Reply, json)?.success === true) return
      const reason = `${url.origin}: the message was refused (HTTP ${status})`
      throw new GatewayError('outbound.failed', {}, { cause: new Error(reason) })
    },
  }
}
