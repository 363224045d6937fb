import { AlertKindName, type Text } from '@tollgate/contract'
import { z } from 'zod'
import { type Clock, seconds } from '../common/clock.ts'
import type { Log } from '../common/log.ts'
import { type Db, type Tx, transact } from '../database/client.ts'
import { alertDeliveriesRepository } from './alert-deliveries-repository.ts'
import { alertDestinationsRepository, type StoredDestination } from './alert-destinations-repository.ts'
import type { AlertMessage } from './alert-message.ts'
import { alertRulesRepository, type StoredRule, type StoredState } from './alert-rules-repository.ts'
import { alertMessage, overMessage } from './alert-texts.ts'
import type { Finding } from './conditions/condition.ts'
import type { Conditions } from './conditions/conditions.ts'

interface Needs {
  db: Db
  conditions: Conditions
  /** The name of the site and the address of its console. */
  site(): { name: string; address: string }
  clock: Clock
  log: Log
}

const Title = z.object({ zh: z.string(), en: z.string() })
const Ids = z.array(z.int())

export const destinationIds = (rule: Pick<StoredRule, 'destinations'>) => Ids.parse(JSON.parse(rule.destinations))

/** The title of a subject when it was found. */
export const readTitle = (json: string): Text => Title.parse(JSON.parse(json))

/**
 * Compares the findings of every rule with the previous ones. A new finding is reported unless the same subject was reported
 * within the quiet time, a lasting one is reported again after it, and the end of a reported one is reported too. State and
 * messages are written in one transaction, so that neither a restart nor a second node sends anything twice.
 */
export const createEvaluation = ({ db, conditions, site, clock, log }: Needs) => {
  const queue = async (tx: Tx, rule: StoredRule, messageFor: (reader: StoredDestination) => AlertMessage) => {
    const readers = await alertDestinationsRepository(tx).named(rule.owner_id, destinationIds(rule))
    for (const reader of readers) {
      const message = messageFor(reader)
      await alertDeliveriesRepository(tx).insert({
        owner_id: rule.owner_id,
        rule_id: rule.id,
        destination_id: reader.id,
        kind: rule.kind,
        title: message.title,
        way: reader.way,
        destination_name: reader.name,
        message: JSON.stringify(message),
        state: 'pending',
        attempts: 0,
        created_time: message.at,
        tried_at: 0,
        next_at: message.at,
        error: '',
      })
    }
  }

  const found = async (rule: StoredRule, finding: Finding, before: StoredState | undefined) => {
    const now = seconds(clock)
    const isQuiet = before !== undefined && before.told_at > 0 && now < before.told_at + rule.quiet_minutes * 60
    const state = {
      firing: 1 as const,
      since: before?.firing === 1 ? before.since : now,
      told_at: isQuiet ? before.told_at : now,
      is_told: isQuiet ? (before.firing === 1 ? before.is_told : (0 as const)) : (1 as const),
      title: JSON.stringify(finding.title),
    }
    if (isQuiet && before.firing === 1) return
    await transact(db, async (tx) => {
      const rules = alertRulesRepository(tx)
      const isOurs =
        before === undefined
          ? await rules.addState({ rule_id: rule.id, subject: finding.subject, ...state })
          : await rules.changeState(before, state)
      if (!isOurs || isQuiet) return
      await queue(tx, rule, (reader) => alertMessage(rule.kind, finding, { ...site(), now }, reader))
    })
  }

  const over = async (rule: StoredRule, before: StoredState) => {
    const now = seconds(clock)
    const title = readTitle(before.title)
    const { subject, since } = before
    await transact(db, async (tx) => {
      const isOurs = await alertRulesRepository(tx).changeState(before, { firing: 0, is_told: 0, since: now })
      if (!isOurs || before.is_told === 0) return
      const ended = { kind: rule.kind, subject, title, since }
      await queue(tx, rule, (reader) => overMessage(ended, { ...site(), now }, reader))
    })
  }

  const evaluate = async (rule: StoredRule) => {
    const states = new Map((await alertRulesRepository(db).states(rule.id)).map((state) => [state.subject, state]))
    const look = { rule, known: new Set(states.keys()), now: seconds(clock) }
    const findings = await conditions[AlertKindName.parse(rule.kind)](look)
    const subjects = new Set(findings.map(({ subject }) => subject))
    for (const finding of findings) await found(rule, finding, states.get(finding.subject))
    for (const state of states.values()) if (state.firing === 1 && !subjects.has(state.subject)) await over(rule, state)
  }

  /** A rule that fails must not stop the others. */
  return async () => {
    const rules = alertRulesRepository(db)
    for (const rule of await rules.toEvaluate(seconds(clock))) {
      await evaluate(rule).catch((error) => log.error('An alert rule could not be looked at', { error, rule: rule.id }))
    }
    return rules.isAny()
  }
}
