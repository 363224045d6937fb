import { ACTIVITY_DAYS, type KeyActivity } from '@tollgate/contract'
import { offsetAt } from '../common/calendar.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { DAY, HOUR } from '../common/time-units.ts'
import type { Db } from '../database/client.ts'
import { upToDateFigures } from '../ledger/up-to-date-figures.ts'
import { keyFiguresRepository, type NamedKey } from './key-figures-repository.ts'
import { PAST_SEC, type SeenAddresses } from './seen-addresses.ts'
import { ADDRESSES_MAX, seenAddressesRepository } from './seen-addresses-repository.ts'
import { newNetworks, surge, type UsedAddress } from './unusual-use.ts'

export type ActivityOf = ReturnType<typeof createKeyActivity>

interface Key extends NamedKey {
  id: number
}

/** Addresses shown; of the others only the number. */
const SHOWN_MAX = 20

/**
 * The recent use of some keys, those of one page. Hours are read only for the few keys with a new network: no other can be marked.
 */
export const createKeyActivity = ({ db, clock, seen }: { db: Db; clock: Clock; seen: SeenAddresses }) => {
  const unusualOf = async (keys: readonly Key[], addresses: ReadonlyMap<number, UsedAddress[]>, now: number) => {
    const suspects = keys.flatMap((key) => {
      const fresh = newNetworks(addresses.get(key.id) ?? [], { now, addressesMax: ADDRESSES_MAX })
      return fresh === undefined ? [] : [{ key, fresh }]
    })
    const starts = steps({ end: now, step: HOUR, count: PAST_SEC / HOUR + 24 })
    const hours = await keyFiguresRepository(await upToDateFigures(db)).read({
      span: HOUR,
      starts,
      keys: suspects.map(({ key }) => key),
    })
    return new Map(
      suspects.flatMap(({ key, fresh }) => {
        const found = surge(hours.filter(belongsTo(key)), fresh.since)
        return found === undefined ? [] : [[key.id, { networks: fresh.networks, ...found }] as const]
      }),
    )
  }

  return async (keys: readonly Key[], zone: string): Promise<KeyActivity[]> => {
    if (keys.length === 0) return []
    const now = seconds(clock)
    await seen.flush()
    const { span, days } = daysOf(zone, now)
    const starts = days.flat()
    const spent = await keyFiguresRepository(await upToDateFigures(db)).read({ span, starts, keys })
    const known = await seenAddressesRepository(db).of(keys.map(({ id }) => id))
    const addresses = Map.groupBy(known, ({ token_id }) => token_id)
    const unusual = await unusualOf(keys, addresses, now)
    return keys.map((key) => {
      const ofKey = spent.filter(belongsTo(key))
      const ofDay = (addresses.get(key.id) ?? [])
        .filter(({ last_at }) => last_at > now - DAY)
        .sort((one, other) => other.last_at - one.last_at)
      return {
        id: key.id,
        spend: days.map((day) => ofKey.reduce((sum, { start, quota }) => (day.includes(start) ? sum + quota : sum), 0)),
        addresses: ofDay.slice(0, SHOWN_MAX).map(({ address, last_at }) => ({ address, last_at })),
        address_count: ofDay.length,
        unusual: unusual.get(key.id) ?? null,
      }
    })
  }
}

const belongsTo =
  ({ user_id, name }: Key) =>
  (figures: { user_id: number; token_name: string }) =>
    figures.user_id === user_id && figures.token_name === name

/** The last days of a zone, each as the starts of its sums: its hours, unless it is a day of UTC. An hour belongs to the day in which it begins. */
function daysOf(zone: string, now: number) {
  if (zone === 'UTC')
    return { span: DAY, days: steps({ end: now, step: DAY, count: ACTIVITY_DAYS }).map((day) => [day]) }
  const dayOf = (at: number) => Math.floor((at + offsetAt(zone, at)) / DAY)
  // A day more than are shown, because one of them may have 25 hours.
  const hours = Map.groupBy(steps({ end: now, step: HOUR, count: (ACTIVITY_DAYS + 1) * 24 }), dayOf)
  const today = dayOf(now)
  return {
    span: HOUR,
    days: Array.from({ length: ACTIVITY_DAYS }, (_, index) => hours.get(today - (ACTIVITY_DAYS - 1 - index)) ?? []),
  }
}

/** The starts of the last `count` days or hours, oldest first and the current one last. */
function steps({ end, step, count }: { end: number; step: number; count: number }) {
  const last = end - (end % step)
  return Array.from({ length: count }, (_, index) => last - (count - 1 - index) * step)
}
