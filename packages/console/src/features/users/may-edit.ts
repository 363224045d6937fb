import { isRoot } from '@tollgate/contract'

interface Ranked {
  id: number
  role: number
}

/** The server's own rule: the super administrator edits everybody, others edit those below them. */
export const mayEdit = (actor: Ranked | undefined, target: Ranked) =>
  actor !== undefined && (isRoot(actor.role) || actor.role > target.role)
