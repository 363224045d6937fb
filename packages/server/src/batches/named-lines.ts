import { applyBodyRules } from '@tollgate/contract'
import type { Route } from '../catalog/snapshot.ts'
import { GatewayError } from '../common/errors.ts'
import { yieldToEventLoop } from '../common/yield-to-event-loop.ts'
import { upstreamModel } from '../relay/answer.ts'
import { estimateCall } from '../relay/meter/estimate.ts'
import type { Call, CallBody } from '../relay/surfaces/call.ts'
import type { BatchLines } from './batch-lines.ts'
import { lineKey, type PlannedLine } from './plan.ts'

/** A request with its model's alias resolved. */
export interface NamedLine {
  id: string
  /** The model as the caller named it. */
  asked: string
  model: string
  call: Call
  body: CallBody
}

/** Each has an entry in the log; a pattern among the aliases would allow as many as there are lines. */
const MODELS_MAX = 100
const TOO_MANY = { zh: `最多 ${MODELS_MAX} 个模型`, en: `there are more than ${MODELS_MAX} models` }

/** Checks that the key may use the model of every line. An error contains the line number. */
export const namedLines = ({ lines }: BatchLines, modelFor: (asked: string) => string): NamedLine[] => {
  const known = new Map<string, string>()
  return lines.map(({ id, call }, index) => {
    const asked = call.model
    const model = known.get(asked) ?? inLine(index + 1, () => modelFor(asked))
    known.set(asked, model)
    if (known.size > MODELS_MAX) throw new GatewayError('relay.batch_line', { line: index + 1, reason: TOO_MANY })
    return { id, asked, model, call: { ...call, model }, body: call.body }
  })
}

function inLine<T>(line: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    throw new GatewayError('relay.batch_line', { line, reason: { zh: error.in('zh'), en: error.in('en') } })
  }
}

/** The request body after the channel's model mapping and body rules, without what its vendor refuses. */
const sentBody = ({ model, body, call }: NamedLine, route: Route): Record<string, unknown> => {
  const { provider, access, mapping, rules } = route
  const { native } = call.operation
  const name = mapping.get(model) ?? model
  const refused = (provider && native.without?.(provider, name, body)) ?? []
  const kept = Object.entries(body).filter(([member]) => !refused.includes(member))
  const named = { ...Object.fromEntries(kept), model: name }
  const amend = provider && native.address(provider, access, name)?.amend
  const changes = rules?.body ?? []
  if (amend === undefined && changes.length === 0) return named
  const text = JSON.stringify(named)
  return JSON.parse(applyBodyRules(amend?.(text) ?? text, changes))
}

/** All requests, serialised in the format of the vendor. */
export const sentLines = async (
  lines: readonly NamedLine[],
  route: Route,
  form: (id: string, body: Record<string, unknown>) => object,
) => {
  const texts: string[] = []
  for (const [index, line] of lines.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await yieldToEventLoop()
    texts.push(JSON.stringify(form(line.id, sentBody(line, route))))
  }
  return texts
}

/** Lines processed before other work may run. */
const AT_ONCE = 50

/** The estimated usage of each line, as for calls. */
export const plannedLines = async (lines: readonly NamedLine[], route: Route, outputTokens: number) => {
  const planned: PlannedLine[] = []
  for (const [index, { id, asked, call }] of lines.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await yieldToEventLoop()
    const model = upstreamModel(call, route)
    planned.push({ key: lineKey(id), asked, model, estimate: estimateCall({ ...call, model }, outputTokens) })
  }
  return planned
}
