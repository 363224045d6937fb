import { z } from 'zod'
import { GatewayError } from '../common/errors.ts'
import { at, type ExternalServices } from './addresses.ts'
import { refusedBy, signingIn } from './oauth-service.ts'
import { read, remoteJson } from './remote-json.ts'

export type WeChat = ReturnType<typeof createWeChat>

const Reply = z.object({ success: z.boolean(), data: z.string().nullish() })
const CODE = /^[A-Za-z0-9_-]{1,64}$/

/** The operator's own bridge to a WeChat account. Users send it a word and get a code, which it maps to the user. */
export function createWeChat({ http }: Pick<ExternalServices, 'http'>) {
  return {
    identify: ({ address, token, code }: { address: string; token: string; code: string }): Promise<string> =>
      signingIn('WeChat', async () => {
        if (!CODE.test(code)) throw new GatewayError('oauth.bad_code')
        const { status, json } = await remoteJson(http, at(address, '/api/wechat/user', { code }), {
          headers: { authorization: token },
        })
        const reply = read(Reply, json)
        // The server answers an unknown code with success and no data.
        if (!reply?.success || !reply.data) throw refusedBy('WeChat', `no user for this code (HTTP ${status})`)
        return reply.data
      }),
  }
}
