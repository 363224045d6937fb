import type { CallDetail, Candidate } from './call-log.ts'

type Kind =
  | 'answered'
  | 'failed'
  | 'cooling'
  | 'waiting'
  | 'keysCooling'
  | 'keysOut'
  | 'unsuited'
  | 'filesElsewhere'
  | 'uncovered'
  | 'budgetSpent'
  | 'groupBudgetSpent'
  | 'excluded'
  | 'laterGroup'
  | 'lowerPriority'
  | 'zeroWeight'
  | 'kept'
  | 'notKept'
  | 'dearer'
  | 'notBetter'
  | 'notDrawn'
  | 'notReached'
  | 'callRefused'
  | 'timeOver'
  | 'retriesOver'

export interface RouteReason {
  kind: Kind
  /** The number of the attempt, from 1. */
  attempt: number
  status: number
  /** The server's note; empty when the rest says it all. */
  note: string
  /** The group and the priority of the channel that answered. */
  group: string
  priority: number
  weight: number
  /** The weights of all channels of the same rank. */
  weights: number
}

export interface ExplainedCandidate {
  candidate: Candidate
  reason: RouteReason
  tone: 'good' | 'bad' | 'off'
}

interface Route {
  attempts: CallDetail['attempts']
  candidates: readonly Candidate[]
  /** Why no other channel was tried; missing in older entries. */
  stopped?: CallDetail['stopped']
}

/** The server's texts for excluded channels. */
const EXCLUSIONS: Readonly<Record<string, Kind | undefined>> = {
  'cooling down after a rate limit': 'cooling',
  'the vendor asked to wait': 'waiting',
  'all keys are cooling down': 'keysCooling',
  'all keys are set aside': 'keysOut',
  'no key can be used now': 'keysOut',
  'does not support this operation': 'unsuited',
  'does not have the files of the call': 'filesElsewhere',
  'the balance or a budget does not cover its price': 'uncovered',
  'its budget is used up': 'budgetSpent',
  'the budget of its group is used up': 'groupBudgetSpent',
}

const STOPS = { request: 'callRefused', time: 'timeOver', retries: 'retriesOver' } as const

/**
 * Why each candidate did or did not answer. The rule is the server's: groups in the user's order, in a group the highest priority,
 * there a weighted draw in which a 0 waits for the others to fail.
 */
export function explainRoute({ attempts: tried, candidates, stopped }: Route): ExplainedCandidate[] {
  // When another key continued, the channel was still being tried.
  const attempts = tried.filter(({ passed }) => passed !== true)
  const last = attempts.at(-1)
  const answered = last !== undefined && !isFailed(last) ? last : undefined
  // A channel of two groups is tried once, in the first of them.
  const once = candidates.filter(
    ({ channel }, index) => candidates.findIndex((other) => other.channel === channel) === index,
  )
  const winner = once.find(({ channel }) => channel === answered?.channel)
  const groups = [...new Set(candidates.map(({ group }) => group))]

  const kindOf = (candidate: Candidate, attempt: number): Kind => {
    const tried = attempts[attempt]
    if (tried !== undefined && isFailed(tried)) return 'failed'
    if (tried !== undefined) return candidate.kept === true && attempt === 0 ? 'kept' : 'answered'
    if (candidate.excluded !== undefined) return EXCLUSIONS[candidate.excluded] ?? 'excluded'
    if (winner === undefined) return stopped === undefined ? 'notReached' : STOPS[stopped]
    if (groups.indexOf(candidate.group) > groups.indexOf(winner.group)) return 'laterGroup'
    if ((candidate.level ?? 0) > (winner.level ?? 0)) return 'dearer'
    if (candidate.level === undefined && (candidate.priority ?? 0) < (winner.priority ?? 0)) return 'lowerPriority'
    if ((candidate.weight ?? 0) === 0 && (winner.weight ?? 0) > 0) return 'zeroWeight'
    if (winner.kept === true) return 'notKept'
    return candidate.policy === 'balanced' ? 'notBetter' : 'notDrawn'
  }

  return once.map((candidate) => {
    const attempt = attempts.findLastIndex(({ channel }) => channel === candidate.channel)
    const kind = kindOf(candidate, attempt)
    const peers = once.filter(({ group, priority }) => group === candidate.group && priority === candidate.priority)
    const reason: RouteReason = {
      kind,
      attempt: attempt + 1,
      status: attempts[attempt]?.status ?? 0,
      note: candidate.excluded ?? '',
      group: winner?.group ?? '',
      priority: winner?.priority ?? 0,
      weight: candidate.weight ?? 0,
      weights: peers.reduce((sum, { weight = 0 }) => sum + weight, 0),
    }
    return {
      candidate,
      reason,
      tone: kind === 'answered' || kind === 'kept' ? 'good' : kind === 'failed' ? 'bad' : 'off',
    }
  })
}

const isFailed = ({ status, error }: CallDetail['attempts'][number]) =>
  error !== undefined || status >= 400 || status === 0
