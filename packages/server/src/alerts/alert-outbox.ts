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

/** How long after each try the next one comes: six within about an hour. */
const RETRY_SEC = [60, 180, 600, 1200, 1800]

const AT_ONCE = 50

/**
 * Sends what is due. Which tries were made and when the next one comes is in the database: another node, or the same one
 * after a restart, goes on where this one stopped.
 */
export const createOutbox = ({ db, send, clock, log }: Needs) => {
  const deliveries = alertDeliveriesRepository(db)

  const attempt = async (delivery: StoredDelivery) => {
    const now = seconds(clock)
    const pauseSec = RETRY_SEC[delivery.attempts]
    if (!(await deliveries.claim(delivery, now, now + (pauseSec ?? 0)))) return
    const destination = await alertDestinationsRepository(db).find(delivery.destination_id)
    const refusal =
      destination === undefined
        ? { error: GONE, final: true }
        : await send(destination, AlertMessage.parse(JSON.parse(delivery.message)), delivery.id)
    if (refusal === undefined) return deliveries.update(delivery.id, { state: 'sent', next_at: 0, error: '' })
    if (!refusal.final && pauseSec !== undefined) return deliveries.update(delivery.id, { error: refusal.error })
    log.warn('An alert was not accepted', { delivery: delivery.id, way: delivery.way, error: refusal.error })
    return deliveries.update(delivery.id, { state: 'failed', next_at: 0, error: refusal.error })
  }

  /** One that cannot even be tried is tried again later, and keeps the others from nothing. */
  return async () => {
    const due = await deliveries.due(seconds(clock), AT_ONCE)
    await Promise.all(
      due.map((delivery) =>
        attempt(delivery).catch((error) => {
          log.error('An alert could not be sent', { error, delivery: delivery.id })
        }),
      ),
    )
    return due.length
  }
}

export const GONE = 'The destination was removed'
