import type { RouteChannel, RouteLevel } from '@tollgate/contract'

const HEALTH = {
  ...{ recent: { failed: 0, calls: 0 }, day: { failed: 0, calls: 0 } },
  ...{ first_byte_p50: null, first_byte_p95: null, open: 0, closed_until: null },
}

export const channel = (id: number, fields: Partial<RouteChannel> = {}): RouteChannel => ({
  ...{
    channel: id,
    name: `c${id}`,
    type: 1,
    priority: 0,
    weight: 0,
    share: 0,
    score: 0,
    reason: null,
    renewal: null,
    budget: null,
    health: HEALTH,
  },
  price: { source: 'library', unit: 'tokens', each: 0, input: 1, cached: 0, output: 2, request: 0 },
  ...fields,
})

export const level = (priority: number, ...channels: RouteChannel[]): RouteLevel => ({
  group: 'default',
  priority,
  channels: channels.map((each) => ({ ...each, priority })),
})
