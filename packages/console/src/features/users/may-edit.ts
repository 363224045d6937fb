import { isRoot, Role } from '@tollgate/contract'

interface Ranked {
  id: number
  role: number
}

/** The server's own rule: root edits everyone, others edit users below them. */
export const mayEdit = (actor: Ranked | undefined, target: Ranked) =>
  actor !== undefined && (isRoot(actor.role) || actor.role > target.role)

/**
 * The actions in a row's menu. Nobody acts on root: its row shows them disabled. Only root creates administrators, and only an
 * administrator can be demoted.
 */
export function rankActions(actor: Ranked | undefined, target: Ranked) {
  if (isRoot(target.role)) return { promote: true, demote: true, works: false }
  const works = mayEdit(actor, target)
  const promote = works && isRoot(actor?.role ?? 0) && target.role < Role.admin
  return { promote, demote: works && target.role >= Role.admin, works }
}
