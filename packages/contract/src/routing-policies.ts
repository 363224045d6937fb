import { z } from 'zod'

/**
 * How a call chooses among the channels of a group for a model. `in_order`: by priority, and by weight among equals.
 * `balanced`: the same, but of two that are drawn the one that does better. `cheapest`: the cheaper one first, whatever the
 * priority.
 */
export const ROUTING_POLICIES = ['in_order', 'balanced', 'cheapest'] as const

export type RoutingPolicy = (typeof ROUTING_POLICIES)[number]

const name = z.string().trim().min(1).max(256)

/** `*` stands for every group, or every model. */
export const RoutingRule = z.strictObject({
  group: name,
  model: name,
  policy: z.enum(ROUTING_POLICIES),
  /** Whether the calls of one conversation stay with the channel that has its prompt cached. */
  affinity: z.boolean().default(false),
})

export type RoutingRule = z.infer<typeof RoutingRule>

/** By `ruleKey`. */
export type RoutingRules = ReadonlyMap<string, RoutingRule>

const RULES_MAX = 1000

export const ruleKey = (group: string, model: string) => `${group}\n${model}`

/** The rule that says the most about it; undefined where none does, which is the order of old. */
export const ruleFor = (rules: RoutingRules, group: string, model: string): RoutingRule | undefined => {
  if (rules.size === 0) return undefined
  return (
    rules.get(ruleKey(group, model)) ??
    rules.get(ruleKey(group, '*')) ??
    rules.get(ruleKey('*', model)) ??
    rules.get(ruleKey('*', '*'))
  )
}

/** JSON text of a list of rules, no two for the same group and model. */
export const routingTable = z
  .string()
  .max(200_000)
  .transform((text, context): RoutingRules => {
    const rules = parsed(text)
    const table = new Map(rules?.map((rule) => [ruleKey(rule.group, rule.model), rule]))
    if (rules !== undefined && table.size === rules.length) return table
    context.addIssue({ code: 'custom', message: 'option.policies' })
    return z.NEVER
  })

function parsed(text: string): RoutingRule[] | undefined {
  try {
    return z
      .array(RoutingRule)
      .max(RULES_MAX)
      .safeParse(JSON.parse(text.trim() === '' ? '[]' : text)).data
  } catch {
    return undefined
  }
}
