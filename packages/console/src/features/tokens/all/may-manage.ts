import { isRoot } from '@tollgate/contract'

/** The server's own rule: root may act on everyone's keys, other administrators on those of users below them. */
export const mayManage = (actor: { role: number } | undefined, owner: { role: number }) =>
  actor !== undefined && (isRoot(actor.role) || actor.role > owner.role)
