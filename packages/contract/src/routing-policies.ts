import { z } from 'zod'

/**
 * How a call chooses among a group's channels for a model. `in_order`: by priority, then by weight. `balanced`: the same,
 * but of two drawn channels the one with the better score. `cheapest`: the cheapest first, whatever the priority.
 */
export const ROUTING_POLICIES = ['in_order', 'balanced', 'cheapest'] as const

export type RoutingPolicy = (typeof ROUTING_POLICIES)[number]

const name = z.string().trim().min(1).max(256)

/** `*` matches every group, or every model. */
export const RoutingRule = z.strictObject({
  group: name,
  model: name,
  policy: z.enum(ROUTING_POLICIES),
  /** Whether calls of one conversation stay with the channel that has its prompt cached. */
  affinity: z.boolean().default(false),
})

export type RoutingRule = z.infer<typeof RoutingRule>

/** By `ruleKey`. */
export type RoutingRules = ReadonlyMap<string, RoutingRule>

const RULES_MAX = 1000

export const ruleKey = (group: string, model: string) => `${group}\n${model}`

/** The most specific rule; undefined when none matches, which means the default order. */
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
