import type { Lease } from './lease.ts'
import { isWaiting } from './waits.ts'

/** Why a channel is skipped for a while, as written to the log. */
export const RATE_LIMITED = 'cooling down after a rate limit'
export const ASKED_TO_WAIT = 'the vendor asked to wait'

/** A probe without a result for this long no longer blocks others. */
const PROBE_MAX_MS = 60_000

/** A cool-down that has been over for this long, without a call that tried the channel, needs no probe any more. */
export const COOLDOWN_KEPT_MS = 60_000

export interface Cooldown {
  /** Until then nothing is sent; afterwards one real call is let through as a probe. */
  until: number
  reason: string
  probe: { lease: Lease; since: number } | undefined
}

/**
 * The cool-downs of a channel, by the model that reached a rate limit; under `EVERY_MODEL` what the vendor asked for without regard to
 * the model.
 */
export type Cooldowns = Map<string, Cooldown>

export const EVERY_MODEL = ''

/** Models that nobody calls any more would keep their channels among the closed ones. */
export function dropOldCooldowns(closed: Map<number, { cooldowns: Cooldowns }>, now: number) {
  for (const [channel, { cooldowns }] of closed) {
    for (const [model, cooldown] of cooldowns) {
      const isOld = !isWaiting(cooldown.until, now) && Math.abs(now - cooldown.until) >= COOLDOWN_KEPT_MS
      if (isOld && !isProbed(cooldown, now)) cooldowns.delete(model)
    }
    if (cooldowns.size === 0) closed.delete(channel)
  }
}

/** Those that may keep a call for the model from the channel. */
export function cooldownsFor(cooldowns: Cooldowns, model: string): Cooldown[] {
  const [ofAll, ofModel] = [cooldowns.get(EVERY_MODEL), model === EVERY_MODEL ? undefined : cooldowns.get(model)]
  return [ofAll, ofModel].filter((cooldown) => cooldown !== undefined)
}

export const closingCooldown = (cooldowns: Cooldowns, model: string, now: number) =>
  cooldownsFor(cooldowns, model).find((cooldown) => isWaiting(cooldown.until, now) || isProbed(cooldown, now))

/** Undefined when it may be tried. */
export function cooldownUntil(cooldowns: Cooldowns, model: string, now: number) {
  const waits = cooldownsFor(cooldowns, model).filter(({ until }) => isWaiting(until, now))
  return waits.length === 0 ? undefined : Math.max(...waits.map(({ until }) => until))
}

const isProbed = ({ probe }: Cooldown, now: number) => probe !== undefined && Math.abs(now - probe.since) < PROBE_MAX_MS
