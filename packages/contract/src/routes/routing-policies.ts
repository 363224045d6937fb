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

/** By group, then by model. */
export type RoutingRules = ReadonlyMap<string, ReadonlyMap<string, RoutingRule>>

const RULES_MAX = 1000

/** The most specific rule; undefined when none matches, which means the default order. */
export const ruleFor = (rules: RoutingRules, group: string, model: string): RoutingRule | undefined => {
  const ofGroup = rules.get(group)
  const ofAll = rules.get('*')
  return ofGroup?.get(model) ?? ofGroup?.get('*') ?? ofAll?.get(model) ?? ofAll?.get('*')
}

/** All rules of a table, as a list. */
export const rulesIn = (rules: RoutingRules): RoutingRule[] =>
  [...rules.values()].flatMap((ofGroup) => [...ofGroup.values()])

/** JSON text of a list of rules, no two for the same group and model. */
export const routingTable = z
  .string()
  .max(200_000)
  .transform((text, context): RoutingRules => {
    const rules = parsed(text)
    const table = new Map<string, Map<string, RoutingRule>>()
    for (const rule of rules ?? []) {
      const ofGroup = table.get(rule.group) ?? new Map<string, RoutingRule>()
      table.set(rule.group, ofGroup.set(rule.model, rule))
    }
    if (rules !== undefined && rulesIn(table).length === rules.length) return table
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
