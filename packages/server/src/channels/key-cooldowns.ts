import { z } from 'zod'

/** Until when a key cools down, by model; in milliseconds. */
export type Cooldowns = ReadonlyMap<string, number>

const Stored = z.record(z.string(), z.number())

/** As stored; empty for none. */
export const parseCooldowns = (text: string): Cooldowns =>
  text === '' ? NONE : new Map(Object.entries(Stored.parse(JSON.parse(text))))

const NONE: Cooldowns = new Map()

/** Those that are not over, the later one for each model, as columns of a key. */
export function cooldownColumns(before: Cooldowns, added: Cooldowns, nowMs: number) {
  const merged = new Map<string, number>()
  for (const [model, until] of [...before, ...added]) {
    if (until > nowMs) merged.set(model, Math.max(merged.get(model) ?? 0, until))
  }
  return {
    cooldowns: merged.size === 0 ? '' : JSON.stringify(Object.fromEntries(merged)),
    cooldown_until: Math.max(0, ...merged.values()),
  }
}
