import { users } from '@tollgate/contract'
import type { ChannelsService } from '../channels/channels-service.ts'
import { type Router, serve } from '../http/serve.ts'
import type { LogsService } from '../logs/logs-service.ts'
import type { RedemptionsService } from '../redemptions/redemptions-service.ts'
import type { OwnLimits } from '../relay/rate-limits/own-limits.ts'
import type { SelfService } from './self-service.ts'
import type { UsersService } from './users-service.ts'

interface Services {
  users: UsersService
  self: SelfService
  ownLimits: OwnLimits
  channels: ChannelsService
  logs: LogsService
  redemptions: RedemptionsService
}

export const usersRoutes = (router: Router, services: Services) => {
  const { self } = services
  // Fixed paths first: `/api/user/self` would otherwise match as the user with the id `self`.
  serve(router, users.search, ({ query }) => services.users.page(query))
  serve(router, users.manage, ({ body }, caller) => services.users.manage(caller, body.username, body.action))
  serve(router, users.adminTopUp, ({ body }, caller) => services.users.topUp(caller, body))

  serve(router, users.self, (_, { actor }) => self.get(actor))
  serve(router, users.limits, (_, { actor }) => services.ownLimits(actor))
  serve(router, users.updateSelf, ({ body }, { actor }) => self.update(actor, body))
  serve(router, users.removeSelf, (_, { actor }) => self.remove(actor))
  serve(router, users.accessToken, (_, { actor }) => self.newAccessToken(actor))
  serve(router, users.affiliateCode, (_, { actor }) => self.affiliateCode(actor))
  serve(router, users.availableModels, (_, { actor }) => services.channels.modelsFor(actor.group))
  serve(router, users.dashboard, ({ query }, { actor }) => services.logs.dashboard(actor.id, query.utc_offset_minutes))
  serve(router, users.topUp, ({ body }, caller) => services.redemptions.redeem(caller, body.key))

  serve(router, users.list, ({ query }) => services.users.page(query))
  serve(router, users.get, ({ params }, caller) => services.users.get(caller, params.id))
  serve(router, users.create, ({ body }, caller) => services.users.create(caller, body))
  serve(router, users.update, ({ body }, caller) => services.users.update(caller, body))
  serve(router, users.remove, ({ params }, caller) => services.users.remove(caller, params.id))
}
