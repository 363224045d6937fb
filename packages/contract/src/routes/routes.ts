import { z } from 'zod'
import { endpoint } from '../api/endpoint.ts'
import { id, line, listPageSize, pageQuery } from '../api/fields.ts'
import { Defaults, Limits } from '../api/limits.ts'
import { ModelPrice } from '../models/model-prices.ts'
import { ROUTE_PATHS, RouteView } from './route-view.ts'
import { RoutingRule } from './routing-policies.ts'

/** Channels per change of the order. */
export const ROUTE_CHANGES_MAX = 1000

/** Draws per dry run. */
export const DRAWS_MAX = 1000

/** Pairs of group and model listed with a channel's position. */
export const PLACES_MAX = 200

export const CHOICES_MAX = 100

const place = {
  priority: z.int().min(-1_000_000_000).max(1_000_000_000),
  weight: z.int().min(0).max(1_000_000_000),
}

const PriorityAndWeight = z.object({ priority: z.int(), weight: z.int() })

const change = z.strictObject({ id, ...place })

const isOncePerChannel = (changes: readonly { id: number }[]) =>
  new Set(changes.map((one) => one.id)).size === changes.length

const which = { group: z.string().min(1).max(1024), model: z.string().min(1).max(256) }
const path = z.enum(ROUTE_PATHS).default('')

const RouteChange = z.object({
  changed: z.array(z.object({ id: z.int(), name: z.string(), before: PriorityAndWeight, after: PriorityAndWeight })),
  /** Other groups and models whose order changes: the first of them, and the total. */
  elsewhere: z.array(z.object({ group: z.string(), model: z.string() })),
  elsewhere_count: z.int(),
})

export type RouteChange = z.infer<typeof RouteChange>

const RoutePlace = z.object({
  group: z.string(),
  model: z.string(),
  /** From 1, highest first. */
  level: z.int(),
  levels: z.int(),
  share: z.number(),
  /** How many other channels share the level, and the names of the first of them. */
  beside: z.int(),
  names: z.array(z.string()),
})

export type RoutePlace = z.infer<typeof RoutePlace>

/** How a past call was routed. */
const RouteChoice = z.object({
  id: z.int(),
  created_at: z.int(),
  request_id: z.string(),
  username: z.string(),
  outcome: z.string(),
  /** The channel that answered, or failed last; 0 where none was tried. */
  channel: z.int(),
  /** How many candidates there were. */
  considered: z.int(),
  attempts: z.array(z.object({ channel: z.int(), name: z.string(), status: z.int(), ms: z.int() })),
  excluded: z.array(z.object({ channel: z.int(), name: z.string(), excluded: z.string() })),
  first_byte_time: z.int(),
})

export type RouteChoice = z.infer<typeof RouteChoice>

const pricesQuery = pageQuery.extend({
  page_size: listPageSize,
  keyword: z.string().max(Limits.keywordMax).default(''),
})

export const routes = {
  prices: endpoint({
    method: 'GET',
    path: '/api/route/prices',
    access: 'user',
    paged: true,
    summary: { zh: '自己可以调用的模型及其价格', en: 'The models you may call, and what they cost' },
    query: pricesQuery,
    data: z.array(ModelPrice),
  }),
  groupPrices: endpoint({
    method: 'GET',
    path: '/api/route/group_prices',
    access: 'admin',
    paged: true,
    summary: { zh: '某个分组可以调用的模型及其价格', en: 'The models that a group may call, and what they cost it' },
    query: pricesQuery.extend({ group: which.group.default(Defaults.group) }),
    data: z.array(ModelPrice),
  }),
  view: endpoint({
    method: 'GET',
    path: '/api/route/',
    access: 'admin',
    summary: {
      zh: '某个分组调用某个模型时渠道的先后、占比、价格和健康状况，以及哪些渠道被排除、为什么',
      en: 'The order in which channels are tried for a group and a model, with shares, prices and health, and who is left out and why',
    },
    query: z.object({ ...which, path }),
    data: RouteView,
  }),
  models: endpoint({
    method: 'GET',
    path: '/api/route/models',
    access: 'admin',
    summary: { zh: '一个分组可以调用的模型', en: 'The models that a group can call' },
    query: z.object({ group: which.group }),
    data: z.array(z.string()),
  }),
  choices: endpoint({
    method: 'GET',
    path: '/api/route/choices',
    access: 'admin',
    summary: { zh: '最近一百次真实的渠道选择', en: 'The last hundred real choices' },
    query: z.object(which),
    data: z.array(RouteChoice),
  }),
  change: endpoint({
    method: 'PUT',
    path: '/api/route/',
    access: 'admin',
    summary: {
      zh: '一次修改多个渠道的优先级和权重：先预览，再全部完成',
      en: 'Change priorities and weights of several channels: a preview first, then all of them or none',
    },
    body: z.strictObject({
      ...which,
      changes: z
        .array(change.extend({ seen: z.strictObject(place) }))
        .min(1)
        .max(ROUTE_CHANGES_MAX)
        .refine(isOncePerChannel, { error: 'route.twice' }),
      preview: z.boolean(),
    }),
    data: RouteChange,
  }),
  setPolicy: endpoint({
    method: 'PUT',
    path: '/api/route/policy',
    access: 'admin',
    summary: {
      zh: '设置某个分组和模型如何选择渠道',
      en: 'Set how calls of a group for a model choose among channels',
    },
    // The several groups of a user are no group: a rule for them would never apply.
    body: RoutingRule.extend({
      group: RoutingRule.shape.group.regex(/^[^,]+$/),
      /** What was shown when the change began. */
      seen: RoutingRule.pick({ policy: true, affinity: true }).optional(),
    }),
  }),
  dryRun: endpoint({
    method: 'POST',
    path: '/api/route/dry_run',
    access: 'admin',
    summary: {
      zh: '试算：一次调用会按什么顺序尝试渠道，多次调用会如何分配；不会真的调用',
      en: 'A dry run: in which order one call would try channels, and whom many calls would take; nobody is called',
    },
    body: z.strictObject({
      ...which,
      path,
      draws: z.int().min(1).max(DRAWS_MAX).default(DRAWS_MAX),
      /** As if these changes had been saved. */
      changes: z.array(change).max(ROUTE_CHANGES_MAX).refine(isOncePerChannel, { error: 'route.twice' }).default([]),
    }),
    data: z.object({
      /** For one call: all channels in the order of attempts, of which it makes at most `tries`. */
      order: z.array(z.object({ channel: z.int(), name: z.string(), group: z.string(), priority: z.int() })),
      tries: z.int(),
      draws: z.int(),
      /** How many of the simulated calls each channel would get first. */
      firsts: z.array(z.object({ channel: z.int(), name: z.string(), count: z.int() })),
    }),
  }),
  placement: endpoint({
    method: 'POST',
    path: '/api/route/placement',
    access: 'admin',
    summary: {
      zh: '尚未保存的渠道会排在哪里：按分组和模型',
      en: 'Where a channel that is not saved yet will stand, for each group and model',
    },
    body: z.strictObject({
      /** The channel being edited; absent for a new one. */
      id: id.optional(),
      type: z.int(),
      groups: z.array(line(256)).max(100),
      models: z.array(line(256)).max(5000),
      model_mapping: z.string().max(Limits.listTextMax).default(''),
      ...place,
    }),
    data: z.object({
      places: z.array(RoutePlace),
      /** How many more pairs of group and model there are. */
      more: z.int(),
    }),
  }),
}
