import { GatewayError } from '../common/errors.ts'
import type { Turnstile } from '../integrations/turnstile.ts'
import type { OptionsService } from '../options/options-service.ts'

export type HumanCheck = ReturnType<typeof createHumanCheck>

/** When Turnstile is enabled, each call needs a fresh token of its own. */
export const createHumanCheck = ({ options, turnstile }: { options: OptionsService; turnstile: Turnstile }) => ({
  async refuseRobot(token: string, ip: string) {
    const { TurnstileCheckEnabled, TurnstileSecretKey } = options.values()
    if (!TurnstileCheckEnabled) return
    if (token === '') throw new GatewayError('turnstile.missing')
    if (TurnstileSecretKey === '') throw new GatewayError('turnstile.failed')
    if (!(await turnstile.verify({ secret: TurnstileSecretKey, token, ip }))) throw new GatewayError('turnstile.failed')
  },
})
