import type { ActiveBudgets } from '../budgets/active-budgets.ts'
import type { CatalogService } from '../catalog/catalog-service.ts'
import type { Choice, Route } from '../catalog/snapshot.ts'
import { GatewayError } from '../common/errors.ts'
import { BudgetSpent } from '../ledger/call-ledger.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { RelayCaller } from '../relay/caller/keys.ts'
import { type Candidate, type Candidates, findCandidates } from '../relay/candidates.ts'
import { laneOf } from '../relay/lanes/lanes.ts'
import { modelBehind } from '../relay/models/aliases.ts'
import { continueWithoutBudget, inFirstGroup, sharedGroups } from '../relay/spent-budgets.ts'
import type { ApiFamily } from '../relay/surfaces/api-family.ts'
import { listModels } from '../relay/surfaces/model-list.ts'
import type { Operation } from '../relay/surfaces/operation.ts'
import { unknownModel } from '../relay/surfaces/unknown-model.ts'
import type { Health } from '../upstream/health.ts'
import type { KeyPools } from '../upstream/key-pools.ts'
import { isChannelRefusal } from './vendor-call.ts'

interface Needs {
  catalog: CatalogService
  options: OptionsService
  health: Health
  keyPools: KeyPools
  budgets: ActiveBudgets
}

interface Requirements {
  caller: RelayCaller
  /** Undefined if the work is not a call that the relay knows. */
  operation?: Operation
  /** All models that the channel must offer, with aliases resolved. */
  models: readonly string[]
  /** Whether the vendor supports this kind of work. */
  takes(route: Route): boolean
}

interface Search extends Pick<Candidates, 'passOver' | 'leaveGroup'> {
  next(): Promise<Candidate | undefined>
}

/** An administrator chose the channel. */
const ONLY_ONE = { passOver: () => {}, leaveGroup: () => {} }

export type ChooseChannel = ReturnType<typeof createChooseChannel>

/** Resolves the models a caller may use, and finds channels that offer all of them. */
export const createChooseChannel = ({ catalog, options, health, keyPools, budgets }: Needs) => {
  const isOffered = ({ groups }: RelayCaller, model: string) =>
    groups.some((group) => catalog.snapshot().offers(group, model).length > 0)

  const suits = (route: Route, { operation, models, takes }: Requirements) =>
    takes(route) &&
    models.every(
      (model) => route.models.has(model) && (operation === undefined || laneOf({ operation, model }, route) === 'pass'),
    )

  const searchFor = (requirements: Requirements): Search => {
    const { caller, models } = requirements
    const [model = ''] = models
    if (caller.pinned !== undefined) return { next: once(pinned(catalog, health, requirements, suits)), ...ONLY_ONE }
    const candidates = findCandidates(catalog.snapshot(), health, {
      ...{ groups: caller.groups, model, suits: (route: Route) => suits(route, requirements) },
    })
    return {
      ...candidates,
      async next() {
        for (let choice = candidates.next(); choice !== undefined; choice = candidates.next()) {
          if (choice.route.pool === undefined) return choice
          const taken = await keyPools.take(choice, { model, tokens: 0, tried: new Set() })
          if (taken !== undefined) return { ...choice, ...taken }
          choice.lease.release()
        }
        return undefined
      },
    }
  }

  return {
    /** Resolves aliases. Throws if this key may not use the model, or no channel offers it. */
    modelFor(caller: RelayCaller, requested: string, family: ApiFamily): string {
      const refusal = () => unknownModel(requested, listModels(catalog, caller), family)
      const model = modelBehind(requested, options.values().ModelAliases, (name) => isOffered(caller, name))
      if (caller.models?.has(requested) === false && !caller.models.has(model))
        throw new GatewayError('relay.model_refused', refusal())
      if (caller.pinned === undefined && !isOffered(caller, model))
        throw new GatewayError('relay.unknown_model', refusal())
      return model
    },

    /** Suitable channels in routing order, each with a usable key. */
    channelsFor: (requirements: Requirements) => searchFor(requirements).next,

    /**
     * Starts work on a channel, and tries others while the vendor refuses it. A channel or a group whose budget does not cover it is
     * passed over, as by calls. Undefined if no channel suits. It is not an attempt of a call and does not affect a channel's health.
     */
    async start<T>(
      requirements: Requirements,
      work: (choice: Choice) => Promise<T>,
      retries = 0,
    ): Promise<T | undefined> {
      const { next, ...candidates } = searchFor(requirements)
      let refusal: unknown
      let left = retries
      for (let choice = await next(); choice !== undefined; choice = await next()) {
        choice.lease.release()
        try {
          return await work(choice)
        } catch (error) {
          if (error instanceof BudgetSpent) {
            refusal ??= budgets.refusal(error.budget)
            if (!continueWithoutBudget(choice, error, { budgets, candidates })) break
          } else {
            refusal = error
            if (!isChannelRefusal(error) || left-- === 0) break
          }
        }
      }
      if (refusal !== undefined) throw refusal
      return undefined
    },

    /** The same for work that only this channel can do. Undefined if the caller may not use it. */
    async startOn<T>(caller: RelayCaller, route: Route, work: (group: string) => Promise<T>): Promise<T | undefined> {
      const groups = sharedGroups(caller, route)
      if (groups !== undefined) return inFirstGroup(groups, budgets, work)
      return caller.pinned === route.id ? inFirstGroup([caller.groups[0] ?? 'default'], budgets, work) : undefined
    },
  }
}

function pinned(
  catalog: CatalogService,
  health: Health,
  requirements: Requirements,
  suits: (route: Route, requirements: Requirements) => boolean,
): Candidate | undefined {
  const route = catalog.snapshot().routes.get(requirements.caller.pinned ?? 0)
  if (route?.status !== 1) throw new GatewayError('relay.pin_unknown')
  const choice: Choice = { route, group: requirements.caller.groups[0] ?? 'default' }
  if (!suits(route, requirements) || route.pool !== undefined) return undefined
  return { ...choice, lease: health.take(route.id, requirements.models[0] ?? '') }
}

function once<T>(value: T) {
  let isDone = false
  return async () => {
    if (isDone) return undefined
    isDone = true
    return value
  }
}
