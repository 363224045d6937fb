import { z } from 'zod'
import { failureOf, VendorError } from '../failure.ts'
import { parseVendor } from '../json.ts'
import { keyParts } from '../key-parts.ts'
import type { TokenExchange } from '../provider.ts'

const Granted = z.object({ access_token: z.string().min(1), expires_in: z.number() })
const Denied = z.object({ error: z.string(), error_description: z.string().optional() })

/** Exchanges the key pair for a token that is valid for a month. */
export const exchange: TokenExchange = {
  request(access) {
    const { APIKey, SecretKey } = keyParts(access.key, { vendor: 'Baidu', names: ['APIKey', 'SecretKey'] })
    const query = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: APIKey,
      client_secret: SecretKey,
    })
    return {
      method: 'POST',
      url: `${access.baseUrl}/oauth/2.0/token?${query}`,
      headers: { accept: 'application/json' },
    }
  },
  read(body) {
    const denied = Denied.safeParse(body).data
    if (denied !== undefined)
      throw new VendorError(failureOf('auth', denied.error_description ?? denied.error, { code: denied.error }))
    const { access_token, expires_in } = parseVendor(Granted, body)
    return { token: access_token, expiresInSec: expires_in }
  },
}
