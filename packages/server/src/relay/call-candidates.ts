import { ruleFor } from '@tollgate/contract'
import type { CatalogService } from '../catalog/catalog-service.ts'
import type { Choice } from '../catalog/snapshot.ts'
import { GatewayError } from '../common/errors.ts'
import { candidatesText, type Exclusion, tierText } from '../logs/call-detail.ts'
import type { OptionsService } from '../options/options-service.ts'
import { RATE_LIMITED } from '../upstream/cooldowns.ts'
import type { Health } from '../upstream/health.ts'
import { ALL_KEYS_COOLING } from '../upstream/pool-state.ts'
import { type Affinity, type CachedAt, conversationOf } from './affinity.ts'
import type { RelayCaller } from './caller/keys.ts'
import {
  BUDGET_SPENT,
  type Candidates,
  FILES_ELSEWHERE,
  findCandidates,
  GROUP_BUDGET_SPENT,
  UNSUPPORTED_OPERATION,
} from './candidates.ts'
import type { FilesAt } from './files-at.ts'
import { laneOf } from './lanes/lanes.ts'
import type { CallModels } from './models/call-models.ts'
import type { Call } from './surfaces/call.ts'

interface Needs {
  catalog: CatalogService
  options: OptionsService
  health: Health
  affinity: Affinity
  models: CallModels
}

export type CallCandidates = ReturnType<typeof createCallCandidates>

/** The channels that a call may try, and the error when there are none. */
export const createCallCandidates = ({ catalog, options, health, affinity, models }: Needs) => {
  /** The channel and key of the call's conversation, if a rule keeps its calls together. */
  const affinityOf = ({ userId, groups }: RelayCaller, call: Call) => {
    const { RoutingPolicies } = options.values()
    if (!groups.some((group) => ruleFor(RoutingPolicies, group, call.model)?.affinity)) return undefined
    const conversation = conversationOf(userId, call)
    if (conversation === undefined) return undefined
    return {
      cachedAt: affinity.cachedAt(conversation),
      keep: (at: CachedAt) => affinity.keep(conversation, at),
    }
  }

  /** Undefined when no channel is cooling down. */
  const restingError = (excluded: readonly Exclusion[], model: string) => {
    const coolingDown = excluded.filter(({ excluded: reason }) => !LASTING.has(reason))
    if (coolingDown.length === 0) return undefined
    const waitMs = Math.min(...coolingDown.map(({ channel }) => health.closedForMs(channel, model)))
    const isLimited = coolingDown.some(({ excluded: reason }) => reason === RATE_LIMITED || reason === ALL_KEYS_COOLING)
    return new GatewayError('relay.channels_resting', {
      ...{ model, seconds: Math.max(1, Math.ceil(waitMs / 1000)) },
      after: isLimited ? 'rate_limited' : 'upstream_error',
    })
  }

  /** The channel that has the files of the call, if it offers the model. */
  const withFiles = (caller: RelayCaller, call: Call, { channel }: FilesAt) => {
    const suits = (route: Choice['route']) => route.id === channel && laneOf(call, route) !== undefined
    const candidates = findCandidates(catalog.snapshot(), health, { groups: caller.groups, model: call.model, suits })
    const offered = caller.groups.flatMap((group) => catalog.snapshot().offers(group, call.model).flat())
    for (const choice of offered) if (choice.route.id !== channel) candidates.passOver(choice, FILES_ELSEWHERE)
    return candidates
  }

  return {
    find(caller: RelayCaller, call: Call): Candidates {
      const { RoutingPolicies } = options.values()
      const { stored } = call
      if (stored !== undefined && caller.pinned === undefined) return withFiles(caller, call, stored)
      const wanted = {
        groups: caller.groups,
        model: call.model,
        suits: (route: Choice['route']) => laneOf(call, route) !== undefined,
        kind: call.operation.name,
        ...(RoutingPolicies.size > 0 && {
          policies: { rules: RoutingPolicies, prices: catalog.prices() },
          affinity: affinityOf(caller, call),
        }),
      }
      if (caller.pinned === undefined) return findCandidates(catalog.snapshot(), health, wanted)
      const route = catalog.snapshot().routes.get(caller.pinned)
      if (route?.status !== 1) throw new GatewayError('relay.pin_unknown')
      if (stored !== undefined && stored.channel !== route.id) throw elsewhere(call)
      return onlyCandidate({ route, group: caller.groups[0] ?? 'default' }, call.model, health)
    },

    /** No channel offers the model, none that does can answer such a call, or all of them are cooling down. */
    noneError(candidates: Candidates, caller: RelayCaller, call: Call) {
      const { model } = call
      const { offered, excluded } = candidates.explain()
      if (!offered) {
        const isOut = catalog.snapshot().isOut(caller.groups, model)
        return isOut
          ? new GatewayError('relay.no_channel', { model, seconds: OUT_SEC })
          : new GatewayError('relay.unknown_model', models.hintFor(caller, call))
      }
      const resting = restingError(excluded, model)
      if (resting !== undefined) return resting
      if (call.stored !== undefined) return elsewhere(call)
      const isCompaction = call.operation.name === 'responses/compact'
      return new GatewayError(isCompaction ? 'relay.no_compaction' : 'relay.unsupported')
    },

    /** Undefined when no channel is cooling down. */
    restingError: (candidates: Candidates, { model }: Call) => restingError(candidates.explain().excluded, model),
  }
}

const elsewhere = ({ model }: Call) => new GatewayError('relay.file_elsewhere', { model })

/** Reasons that do not pass with a cool-down. */
const LASTING: ReadonlySet<string> = new Set([UNSUPPORTED_OPERATION, FILES_ELSEWHERE, BUDGET_SPENT, GROUP_BUDGET_SPENT])

/** A channel disabled after failures is not back before somebody looks at it. */
const OUT_SEC = 60

/** An administrator chose the channel: that one or none. */
function onlyCandidate(choice: Choice, model: string, health: Health): Candidates {
  let given = false
  return {
    next() {
      if (given) return undefined
      given = true
      return { ...choice, lease: health.take(choice.route.id, model) }
    },
    passOver: () => {},
    leaveGroup: () => {},
    answered: () => {},
    keyOf: () => undefined,
    explain: () => ({ offered: true, excluded: [] }),
    logged: () =>
      candidatesText([{ text: tierText(choice.group, [{ ...choice.route, weight: 0, priority: 0 }]) }], {
        excluded: [],
      }),
  }
}
