import { GatewayError } from '../common/errors.ts'

/** The names people know these services by. They stand in the error's text. */
export type OAuthService = 'GitHub' | 'Lark' | 'WeChat'

/** Says an outage of a sign-in service in the words of a sign-in. */
export async function signingIn<T>(service: OAuthService, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof GatewayError) || !error.code.startsWith('outbound.')) throw error
    throw new GatewayError('oauth.unreachable', { service }, { cause: error.cause })
  }
}

/** `reason` is for the log and must not repeat what the service was sent. */
export const refusedBy = (service: OAuthService, reason: string) =>
  new GatewayError('oauth.refused', { service }, { cause: new Error(`${service}: ${reason}`) })
