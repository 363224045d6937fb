import { session } from '@tollgate/contract'
import { limitKey } from '../http/client-address.ts'
import { Answer, type Router, serve } from '../http/serve.ts'
import { deviceCookie, signIn, signOut } from '../http/session-cookie.ts'
import { withReasonFor } from '../mail/outgoing-mail.ts'
import type { HumanCheck } from './human-check.ts'
import type { KnownDevices } from './known-devices.ts'
import type { LoginService } from './login-service.ts'
import type { RecoveryService } from './recovery-service.ts'
import type { RegistrationService } from './registration-service.ts'
import type { SessionsService } from './sessions-service.ts'

interface Services {
  sessions: SessionsService
  devices: KnownDevices
  login: LoginService
  registration: RegistrationService
  recovery: RecoveryService
  humanCheck: HumanCheck
}

export const sessionRoutes = (router: Router, services: Services) => {
  const { sessions, devices, login, registration, recovery, humanCheck } = services

  serve(router, session.login, async ({ body }, caller) => {
    const deviceOf = (userId: number) => devices.nameOf(userId, deviceCookie(caller, userId))
    const user = await login.login({ ...body, network: limitKey(caller.ip), deviceOf })
    return signIn(caller, { sessions, devices }, user)
  })
  serve(router, session.logout, (_, caller) => signOut(caller, sessions))
  serve(router, session.register, async ({ query, body }, caller) => {
    await humanCheck.refuseRobot(query.turnstile, caller.ip)
    return new Answer(undefined, { extra: await registration.register(body, caller.requestId) })
  })
  serve(router, session.verification, async ({ query }, caller) => {
    await humanCheck.refuseRobot(query.turnstile, caller.ip)
    await registration.sendCode(query.email, caller.language).catch((error) => {
      throw withReasonFor(caller.actor, error)
    })
  })
  serve(router, session.requestReset, async ({ query }, caller) => {
    await humanCheck.refuseRobot(query.turnstile, caller.ip)
    await recovery.requestReset(query.email, caller.language)
  })
  serve(router, session.reset, ({ body }) => recovery.reset(body.email, body.token))
}
