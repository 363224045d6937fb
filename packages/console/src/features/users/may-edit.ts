import { isRoot, Role } from '@tollgate/contract'

interface Ranked {
  id: number
  role: number
}

/** The server's own rule: the super administrator edits everybody, others edit those below them. */
export const mayEdit = (actor: Ranked | undefined, target: Ranked) =>
  actor !== undefined && (isRoot(actor.role) || actor.role > target.role)

/**
 * What the menu of a row offers. Nobody acts on the super administrator: its row shows the actions, and none works.
 * Only the super administrator makes administrators, and only an administrator can be made an ordinary user.
 */
export function rankActions(actor: Ranked | undefined, target: Ranked) {
  if (isRoot(target.role)) return { promote: true, demote: true, works: false }
  const works = mayEdit(actor, target)
  const promote = works && isRoot(actor?.role ?? 0) && target.role < Role.admin
  return { promote, demote: works && target.role >= Role.admin, works }
}
