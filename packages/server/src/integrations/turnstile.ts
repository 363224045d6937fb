import { z } from 'zod'
import { at, type ExternalServices } from './addresses.ts'
import { read, remoteJson } from './remote-json.ts'

export type Turnstile = ReturnType<typeof createTurnstile>

const Verdict = z.object({ success: z.boolean() })
const TOKEN_MAX = 2048

export function createTurnstile({ http, addresses }: ExternalServices) {
  return {
    /** True only when Cloudflare confirms. An outage is `outbound.failed`: nobody passes while we cannot verify. */
    async verify({ secret, token, ip }: { secret: string; token: string; ip: string }): Promise<boolean> {
      if (secret === '' || token === '' || token.length > TOKEN_MAX) return false
      const { json } = await remoteJson(http, at(addresses.turnstile, '/turnstile/v0/siteverify'), {
        method: 'POST',
        body: { secret, response: token, remoteip: ip },
      })
      return read(Verdict, json)?.success === true
    },
  }
}
