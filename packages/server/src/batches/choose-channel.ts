import type { CatalogService } from '../catalog/catalog-service.ts'
import type { Choice, Route } from '../catalog/snapshot.ts'
import { GatewayError } from '../common/errors.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { RelayCaller } from '../relay/caller/keys.ts'
import { type Candidate, findCandidates } from '../relay/candidates.ts'
import { laneOf } from '../relay/lanes/lanes.ts'
import { modelBehind } from '../relay/models/aliases.ts'
import type { ApiFamily } from '../relay/surfaces/api-family.ts'
import { listModels } from '../relay/surfaces/model-list.ts'
import type { Operation } from '../relay/surfaces/operation.ts'
import { unknownModel } from '../relay/surfaces/unknown-model.ts'
import type { Health } from '../upstream/health.ts'
import type { KeyPools } from '../upstream/key-pools.ts'

interface Needs {
  catalog: CatalogService
  options: OptionsService
  health: Health
  keyPools: KeyPools
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

export type ChooseChannel = ReturnType<typeof createChooseChannel>

/** Resolves the models a caller may use, and finds channels that offer all of them. */
export const createChooseChannel = ({ catalog, options, health, keyPools }: Needs) => {
  const isOffered = ({ groups }: RelayCaller, model: string) =>
    groups.some((group) => catalog.snapshot().offers(group, model).length > 0)

  const suits = (route: Route, { operation, models, takes }: Requirements) =>
    takes(route) &&
    models.every(
      (model) => route.models.has(model) && (operation === undefined || laneOf({ operation, model }, route) === 'pass'),
    )

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
    channelsFor(requirements: Requirements): () => Promise<Candidate | undefined> {
      const { caller, models } = requirements
      const [model = ''] = models
      if (caller.pinned !== undefined) return once(pinned(catalog, health, requirements, suits))
      const candidates = findCandidates(catalog.snapshot(), health, {
        ...{ groups: caller.groups, model, suits: (route: Route) => suits(route, requirements) },
      })
      return async () => {
        for (let choice = candidates.next(); choice !== undefined; choice = candidates.next()) {
          if (choice.route.pool === undefined) return choice
          const taken = await keyPools.take(choice, { model, tokens: 0, tried: new Set() })
          if (taken !== undefined) return { ...choice, ...taken }
          choice.lease.release()
        }
        return undefined
      }
    },
  }
}

/** The caller's group through which the channel is available. */
export const groupOf = ({ groups, pinned: channel }: RelayCaller, route: Route) =>
  groups.find((group) => route.groups.has(group)) ?? (channel === route.id ? (groups[0] ?? 'default') : undefined)

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
