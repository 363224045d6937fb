import { isRoot, Role } from '@tollgate/contract'
import type { Actor } from '../common/actor.ts'
import { GatewayError } from '../common/errors.ts'

interface Target {
  id: number
  role: number
}

/** Users may act on lower roles only; root may act on everyone. */
export const refuseHigherRank = (actor: Actor, target: Target) => {
  if (!isRoot(actor.role) && actor.role <= target.role) throw new GatewayError('user.rank')
}

/** Nobody disables, demotes or deletes root, not even itself. */
export const refuseRoot = (target: Target) => {
  if (isRoot(target.role)) throw new GatewayError('user.root_protected')
}

/** A leaked access token must not be able to lock its owner out. */
export const refuseAccessToken = (actor: Actor) => {
  if (actor.by === 'access token') throw new GatewayError('session.interactive_only')
}

/** The role after a promotion or demotion, or the reason why not. */
export const changedRole = (actor: Actor, target: Target, action: 'promote' | 'demote') => {
  refuseRoot(target)
  if (action === 'promote') {
    if (!isRoot(actor.role)) throw new GatewayError('user.root_only')
    if (target.role >= Role.admin) throw new GatewayError('user.already_admin')
    return Role.admin
  }
  if (target.role === Role.user) throw new GatewayError('user.already_ordinary')
  return Role.user
}
