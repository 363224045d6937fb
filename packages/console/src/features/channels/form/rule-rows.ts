import {
  type BodyRule,
  bodyRuleFault,
  type HeaderRule,
  hasFixedBody,
  headerRuleFault,
  RULES_MAX,
} from '@tollgate/contract'
import type { Words } from '../../../text/words.ts'
import type { zh } from '../../../text/zh/channels.ts'

/** A rule being edited. `target` is the header's name or the member's path. */
export interface RuleRow<Action extends string> {
  id: number
  target: string
  action: Action
  value: string
}

export type HeaderRow = RuleRow<HeaderRule['action']>
export type BodyRow = RuleRow<BodyRule['action']>

export const headerRows = (rules: readonly HeaderRule[]): HeaderRow[] =>
  rules.map(({ name, action }, id) => ({ id, target: name, action, value: '' }))

export const bodyRows = (rules: readonly BodyRule[]): BodyRow[] =>
  rules.map(({ path, action, value = '' }, id) => ({ id, target: path, action, value }))

/** Empty rows are not rules. */
export const headerRules = (rows: readonly HeaderRow[]): HeaderRule[] =>
  filledIn(rows).map(({ target, action, value }) => ({
    ...{ name: target.trim(), action },
    ...(action !== 'remove' && value.trim() !== '' && { value: value.trim() }),
  }))

export const bodyRules = (type: number, rows: readonly BodyRow[]): BodyRule[] =>
  hasFixedBody(type)
    ? []
    : filledIn(rows).map(({ target, action, value }) => ({
        ...{ path: target.trim(), action },
        ...(action !== 'remove' && { value: value.trim() }),
      }))

/** What the server would reject, with the same messages. `kept`: the headers with a stored value. */
export function ruleErrors(
  { type, ...rows }: { type: number; header_rules: readonly HeaderRow[]; body_rules: readonly BodyRow[] },
  kept: ReadonlySet<string>,
  text: Words<typeof zh>,
) {
  const headers = headerRules(rows.header_rules)
  const body = bodyRules(type, rows.body_rules)
  const headerFault = headerRuleFault(headers, (name) => kept.has(name))
  const bodyFault = bodyRuleFault(type, body)
  const tooMany = headers.length + body.length > RULES_MAX
  return {
    ...(tooMany && { header_rules: text.tooManyRules(RULES_MAX) }),
    ...(headerFault !== undefined && { header_rules: text.ruleFaults[headerFault.code](headerFault.name) }),
    ...(bodyFault !== undefined && { body_rules: text.ruleFaults[bodyFault.code](bodyFault.name) }),
  }
}

const filledIn = <Row extends RuleRow<string>>(rows: readonly Row[]) =>
  rows.filter(({ target, value }) => target.trim() !== '' || value.trim() !== '')
