import { type Clock, seconds } from '../common/clock.ts'
import type { Log } from '../common/log.ts'
import type { Db } from '../database/client.ts'
import { alertDeliveriesRepository, type StoredDelivery } from './alert-deliveries-repository.ts'
import { alertDestinationsRepository } from './alert-destinations-repository.ts'
import { AlertMessage } from './alert-message.ts'
import type { SendAlert } from './send-alert.ts'

interface Needs {
  db: Db
  send: SendAlert
  clock: Clock
  log: Log
}

/** Delays between attempts: six within about an hour. */
const RETRY_SEC = [60, 180, 600, 1200, 1800]

const AT_ONCE = 200

/**
 * Sends due messages. Attempts and the time of the next one are in the database, so that another node, or this one after a
 * restart, continues where this one stopped.
 */
export const createOutbox = ({ db, send, clock, log }: Needs) => {
  const deliveries = alertDeliveriesRepository(db)

  const giveUp = ({ id, way }: StoredDelivery, error: string) => {
    log.warn('An alert was not accepted', { delivery: id, way, error })
    return deliveries.update(id, { state: 'failed', next_at: 0, error })
  }

  /** False when the destination accepts nothing at the moment. */
  const attempt = async (delivery: StoredDelivery) => {
    const now = seconds(clock)
    const { id, attempts } = delivery
    const pauseSec = RETRY_SEC[attempts]
    if (attempts > RETRY_SEC.length) {
      // The process died during the last attempt.
      await giveUp(delivery, delivery.error || INTERRUPTED)
      return true
    }
    if (!(await deliveries.claim(delivery, now, now + (pauseSec ?? 0)))) return true
    const destination = await alertDestinationsRepository(db).find(delivery.destination_id)
    const refusal =
      destination === undefined
        ? { error: GONE, final: true }
        : await send(destination, AlertMessage.parse(JSON.parse(delivery.message)), id)
    if (refusal === undefined) await deliveries.update(id, { state: 'sent', next_at: 0, error: '' })
    else if (!refusal.final && pauseSec !== undefined) await deliveries.update(id, { error: refusal.error })
    else await giveUp(delivery, refusal.error)
    return refusal === undefined || refusal.final
  }

  /** One after the other in the order of their due time: an end comes after its beginning. */
  const sendAll = async (waiting: readonly StoredDelivery[]) => {
    for (const delivery of waiting) if (!(await attempt(delivery))) return
  }

  /** A destination that fails must not stop the others. */
  return async () => {
    const due = await deliveries.due(seconds(clock), AT_ONCE)
    const byDestination = Map.groupBy(due, ({ destination_id }) => destination_id)
    await Promise.all(
      [...byDestination].map(([destination, waiting]) =>
        sendAll(waiting).catch((error) => log.error('An alert could not be sent', { error, destination })),
      ),
    )
    return due.length
  }
}

export const GONE = 'The destination was removed'
const INTERRUPTED = 'Every try was interrupted'
