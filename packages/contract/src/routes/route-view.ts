import { z } from 'zod'
import { ShownPrice } from '../models/model-prices.ts'
import { ROUTING_POLICIES } from './routing-policies.ts'

/**
 * Why a channel is skipped. Reasons in the first line apply to every call until the channel is changed, the others for a while
 * or for one kind of call.
 */
export const ROUTE_REASONS = [
  ...(['disabled', 'auto_disabled', 'other_group', 'unsupported_type'] as const),
  ...(['rate_limited', 'asked_to_wait', 'keys_cooling', 'keys_out', 'budget_spent', 'unsuited'] as const),
  'group_budget_spent',
] as const

export type RouteReason = (typeof ROUTE_REASONS)[number]

/** A kind of call, by its path. Empty: does not check whether the vendor supports it. */
export const ROUTE_PATHS = [
  '',
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/messages',
  '/v1/embeddings',
  '/v1/images/generations',
  '/v1/audio/speech',
  '/v1/audio/transcriptions',
  '/v1/rerank',
] as const

const Counts = z.object({ failed: z.int(), calls: z.int().nullable() })

/** The health of a channel. Open calls and cool-downs are those of the answering node. */
const RouteHealth = z.object({
  /** Attempts of the last 15 minutes; calls are null when answers are not logged. */
  recent: Counts,
  day: Counts,
  /** Milliseconds to first byte of this model's calls in the last day; null without any. */
  first_byte_p50: z.number().nullable(),
  first_byte_p95: z.number().nullable(),
  open: z.int(),
  /** Unix seconds until which the channel cools down; null when it does not. */
  closed_until: z.int().nullable(),
})

/** When a budget that is used up has room again: `renews_at` in unix seconds, or 0 where it frees up gradually or has to be raised. */
const BudgetRenewal = z.object({ renews_at: z.int(), rolling: z.boolean() })

export type BudgetRenewal = z.infer<typeof BudgetRenewal>

/** What is left of a budget, as quota. Calls that need more are refused before it is used up. */
const BudgetLeft = z.object({ left: z.int(), quota: z.int() })

export type BudgetLeft = z.infer<typeof BudgetLeft>

const RouteChannel = z.object({
  channel: z.int(),
  name: z.string(),
  type: z.int(),
  priority: z.int(),
  weight: z.int(),
  /** Of the calls that reach the level, the share that tries this channel first. */
  share: z.number(),
  /** The score of the policy, where it uses one: lower is better. */
  score: z.number(),
  /** Why it is skipped for now; null when it is not. */
  reason: z.enum(ROUTE_REASONS).nullable(),
  /** Of the budget that is the reason; null for other reasons. */
  renewal: BudgetRenewal.nullable(),
  /** Of its budgets, the one with the least left; null without any, or when it is used up. */
  budget: BudgetLeft.nullable(),
  price: ShownPrice,
  health: RouteHealth,
  /** How many of its keys are usable, when it has a pool. */
  keys: z.int().optional(),
})

export type RouteChannel = z.infer<typeof RouteChannel>

const RouteLevel = z.object({ group: z.string(), priority: z.int(), channels: z.array(RouteChannel) })

export type RouteLevel = z.infer<typeof RouteLevel>

const LeftOut = z.object({
  channel: z.int(),
  name: z.string(),
  type: z.int(),
  reason: z.enum(ROUTE_REASONS),
  /** The groups it offers the model to. */
  groups: z.array(z.string()),
})

export const RouteView = z.object({
  group: z.string(),
  /** The model of these channels: the requested one, or the target of its alias. */
  model: z.string(),
  levels: z.array(RouteLevel),
  /** Groups whose budget is used up: their calls go to the channels of the other groups. */
  spent_groups: z.array(BudgetRenewal.extend({ group: z.string() })),
  /** Groups with a budget that is not used up: the one with the least left. */
  group_budgets: z.array(BudgetLeft.extend({ group: z.string() })),
  /** Channels that have the model but do not get its calls. */
  left_out: z.array(LeftOut),
  /** How many other channels do not offer the model. */
  others: z.int(),
  /** The routing policy, and whether calls of one conversation stay on one channel. */
  policy: z.enum(ROUTING_POLICIES),
  affinity: z.boolean(),
  /** Models tried when none of these channels can answer. */
  fallbacks: z.array(z.string()),
  retries: z.int(),
  retry_seconds: z.int(),
})

export type RouteView = z.infer<typeof RouteView>
