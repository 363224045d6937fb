import { isRoot } from '@tollgate/contract'

/** The server's own rule: the super administrator acts on everybody and their keys, others on users below them. */
export const mayManage = (actor: { role: number } | undefined, owner: { role: number }) =>
  actor !== undefined && (isRoot(actor.role) || actor.role > owner.role)
