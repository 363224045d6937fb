import type { AuditFilter } from '@tollgate/contract'
import type { Actor } from '../common/actor.ts'
import { type Clock, seconds } from '../common/clock.ts'
import type { Db, Tx } from '../database/client.ts'
import { type AskedPage, pageWindow } from '../database/page-window.ts'
import { auditRepository } from './audit-repository.ts'

/** Who made a change, and from where. */
export interface By {
  actor: Actor
  ip: string
  /** Absent when no request caused it. */
  requestId?: string
}

/** The actor when nobody is signed in: the command line, or the product itself. */
export const OPERATOR: Author = { actor: { id: 0, username: 'tollgate' }, ip: '' }

/** The actor of an event. */
export interface Author {
  actor: Pick<Actor, 'id' | 'username'>
  ip: string
}

export interface Change {
  /** Noun and verb, such as `channel.update`. */
  action: string
  /** The changed object, such as `channel:12`. */
  target: string
  before?: Facts
  after?: Facts
}

type Facts = Record<string, unknown>

export type AuditService = ReturnType<typeof createAuditService>

/** The audit log of administrative changes, written in the transaction of the change itself. */
export const createAuditService = ({ db, clock }: { db: Db; clock: Clock }) => ({
  async record(tx: Tx, by: Author, change: Change) {
    await auditRepository(tx).insert([eventOf(by, change, seconds(clock))])
  },

  /** One event for each of many changes, in few statements. */
  async recordMany(tx: Tx, by: Author, changes: readonly Change[]) {
    for (let done = 0; done < changes.length; done += EVENTS_AT_ONCE) {
      const some = changes.slice(done, done + EVENTS_AT_ONCE)
      await auditRepository(tx).insert(some.map((change) => eventOf(by, change, seconds(clock))))
    }
  },

  list: ({ p, page_size, ...filter }: AuditFilter & AskedPage) =>
    auditRepository(db).list(pageWindow(p, page_size), filter),
})

const EVENTS_AT_ONCE = 500

function eventOf(by: Author, change: Change, at: number) {
  const differing = difference(change.before, change.after)
  return {
    created_at: at,
    actor_id: by.actor.id,
    actor_name: by.actor.username,
    action: change.action,
    target: change.target,
    before: differing.before === undefined ? null : JSON.stringify(differing.before),
    after: differing.after === undefined ? null : JSON.stringify(differing.after),
    ip: by.ip,
  }
}

/** For an update only the changed members are kept; a creation or deletion is kept whole. */
function difference(before: Facts | undefined, after: Facts | undefined) {
  if (before === undefined || after === undefined) return { before, after }
  const changed = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name])
  const pick = (facts: Facts) => Object.fromEntries(changed.map((name) => [name, facts[name] ?? null]))
  return { before: pick(before), after: pick(after) }
}
