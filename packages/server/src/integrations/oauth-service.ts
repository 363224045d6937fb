import { GatewayError } from '../common/errors.ts'

/** Display names of the services, used in error messages. */
export type OAuthService = 'GitHub' | 'Lark' | 'WeChat'

/** Turns an outage of a sign-in service into a sign-in error. */
export async function signingIn<T>(service: OAuthService, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof GatewayError) || !error.code.startsWith('outbound.')) throw error
    throw new GatewayError('oauth.unreachable', { service }, { cause: error.cause })
  }
}

/** `reason` is for the log and must not repeat what was sent to the service. */
export const refusedBy = (service: OAuthService, reason: string) =>
  new GatewayError('oauth.refused', { service }, { cause: new Error(`${service}: ${reason}`) })
