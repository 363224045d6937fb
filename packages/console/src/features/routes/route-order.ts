import { type RouteChannel, type RouteLevel, type RoutingPolicy, sharesByWeight, sharesOfTwo } from '@tollgate/contract'

/** A channel's unsaved position. */
export interface ChannelPosition {
  priority: number
  weight: number
}

export type Edits = ReadonlyMap<number, ChannelPosition>

/** Into an existing level, or between two levels, which creates a new one above that number. */
export type Target = { group: string; level: number } | { group: string; before: number }

/** The resulting levels: the server's rule, applied to the unsaved changes. */
export const arrange = (
  levels: readonly RouteLevel[],
  edits: Edits,
  policy: RoutingPolicy = 'in_order',
): RouteLevel[] =>
  [...Map.groupBy(levels, ({ group }) => group)].flatMap(([group, own]) => {
    // Sorted by price, moving has no effect.
    if (policy === 'cheapest') return own.map((level) => reweighed(level, edits, policy))
    const channels = own.flatMap((level) => level.channels).map((each) => ({ ...each, ...edits.get(each.channel) }))
    const ordered = channels.toSorted((a, b) => b.priority - a.priority || a.channel - b.channel)
    return [...Map.groupBy(ordered, ({ priority }) => priority)].map(([priority, peers]) => ({
      group,
      priority,
      channels: withShares(peers, policy),
    }))
  })

const reweighed = (level: RouteLevel, edits: Edits, policy: RoutingPolicy): RouteLevel => ({
  ...level,
  channels: withShares(
    level.channels.map((each) => ({ ...each, ...edits.get(each.channel) })),
    policy,
  ),
})

function withShares(peers: readonly RouteChannel[], policy: RoutingPolicy): RouteChannel[] {
  const usable = peers.filter(({ reason }) => reason === null)
  const weights = usable.map(({ weight }) => weight)
  const scores = usable.map(({ score }) => score)
  const shares = policy === 'balanced' ? sharesOfTwo(weights, scores) : sharesByWeight(weights)
  return peers.map((peer) => ({ ...peer, share: shares[usable.indexOf(peer)] ?? 0 }))
}

/** The changes to save: channels whose position differs from the server's. */
export const changesOf = (levels: readonly RouteLevel[], edits: Edits) =>
  levels.flatMap(({ channels }) =>
    channels.flatMap(({ channel, priority, weight }) => {
      const edit = edits.get(channel)
      if (edit === undefined || (edit.priority === priority && edit.weight === weight)) return []
      return [{ id: channel, ...edit, seen: { priority, weight } }]
    }),
  )

/** One step up or down: out of a shared level, and from a level of its own into the next one. */
export const stepOf = (levels: readonly RouteLevel[], channel: number, step: 'up' | 'down'): Target | undefined => {
  const { group, own, at } = placeOf(levels, channel)
  const level = own[at]
  if (level === undefined) return undefined
  if (level.channels.length > 1) return { group, before: step === 'up' ? at : at + 1 }
  const next = step === 'up' ? at - 1 : at + 1
  return own[next] === undefined ? undefined : { group, level: next }
}

/** The edits after a channel was moved. When there is no number left between two levels, some of them make room. */
export const move = (levels: readonly RouteLevel[], edits: Edits, channel: number, target: Target): Edits => {
  const { group, own, at } = placeOf(levels, channel)
  if (at === -1 || target.group !== group) return edits
  const moved = new Map(edits)
  const put = ({ channel: id, weight }: RouteChannel, priority: number) => moved.set(id, { priority, weight })
  const self = own[at]?.channels.find((each) => each.channel === channel)
  if (self === undefined) return edits
  if ('level' in target) {
    const priority = own[target.level]?.priority
    return priority === undefined ? edits : put(self, priority)
  }
  const isAlone = own[at]?.channels.length === 1
  if (isAlone && (target.before === at || target.before === at + 1)) return edits
  const isOther = (level: RouteLevel) => !isAlone || level !== own[at]
  const above = own.slice(0, target.before).filter(isOther).reverse()
  const below = own.slice(target.before).filter(isOther)
  const [upper, lower] = [above[0]?.priority, below[0]?.priority]
  if (upper === undefined || lower === undefined) return put(self, upper === undefined ? (lower ?? 0) + 1 : upper - 1)
  if (upper - lower > 1) return put(self, Math.floor((upper + lower) / 2))
  const others = (level: RouteLevel) => level.channels.filter((each) => each !== self)
  const [up, down] = [pushed(above, 1), pushed(below, -1)]
  const isUp = up.flatMap(others).length <= down.flatMap(others).length
  for (const level of isUp ? up : down) for (const each of others(level)) put(each, level.priority + (isUp ? 1 : -1))
  return put(self, isUp ? upper : lower)
}

/** Levels that have to move by one, away from the gap, until one has room. */
function pushed(levels: readonly RouteLevel[], by: 1 | -1) {
  const some: RouteLevel[] = []
  for (const level of levels) {
    const last = some.at(-1)
    if (last !== undefined && level.priority !== last.priority + by) break
    some.push(level)
  }
  return some
}

function placeOf(levels: readonly RouteLevel[], channel: number) {
  const has = (level: RouteLevel) => level.channels.some((each) => each.channel === channel)
  const group = levels.find(has)?.group ?? ''
  const own = levels.filter((level) => level.group === group)
  return { group, own, at: own.findIndex(has) }
}
