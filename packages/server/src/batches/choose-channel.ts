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

interface Wanted {
  caller: RelayCaller
  /** The call that it consists of; undefined where it is none that the relay knows. */
  operation?: Operation
  /** All of them, by the names behind aliases. */
  models: readonly string[]
  /** Whether the vendor can do it at all. */
  takes(route: Route): boolean
}

export type ChooseChannel = ReturnType<typeof createChooseChannel>

/** Which models a caller means and may use, and which channels can do all of them at once. */
export const createChooseChannel = ({ catalog, options, health, keyPools }: Needs) => {
  const isOffered = ({ groups }: RelayCaller, model: string) =>
    groups.some((group) => catalog.snapshot().offers(group, model).length > 0)

  const suits = (route: Route, { operation, models, takes }: Wanted) =>
    takes(route) &&
    models.every(
      (model) => route.models.has(model) && (operation === undefined || laneOf({ operation, model }, route) === 'pass'),
    )

  return {
    /** The name behind the one that was asked for. Throws where this key may not use it, or nobody offers it. */
    modelFor(caller: RelayCaller, asked: string, family: ApiFamily): string {
      const refusal = () => unknownModel(asked, listModels(catalog, caller), family)
      const model = modelBehind(asked, options.values().ModelAliases, (name) => isOffered(caller, name))
      if (caller.models?.has(asked) === false && !caller.models.has(model))
        throw new GatewayError('relay.model_refused', refusal())
      if (caller.pinned === undefined && !isOffered(caller, model))
        throw new GatewayError('relay.unknown_model', refusal())
      return model
    },

    /** The channels that can do it, the best first, each with a key that may be used. */
    channelsFor(wanted: Wanted): () => Promise<Candidate | undefined> {
      const { caller, models } = wanted
      const [model = ''] = models
      if (caller.pinned !== undefined) return once(pinned(catalog, health, wanted, suits))
      const candidates = findCandidates(catalog.snapshot(), health, {
        ...{ groups: caller.groups, model, suits: (route: Route) => suits(route, wanted) },
      })
      return async () => {
        for (let choice = candidates.next(); choice !== undefined; choice = candidates.next()) {
          if (choice.route.pool === undefined) return choice
          const taken = await keyPools.take(choice, { tokens: 0, tried: new Set() })
          if (taken !== undefined) return { ...choice, ...taken }
          choice.lease.release()
        }
        return undefined
      }
    },
  }
}

/** The group of a caller to which a channel is open. */
export const groupOf = ({ groups, pinned: channel }: RelayCaller, route: Route) =>
  groups.find((group) => route.groups.has(group)) ?? (channel === route.id ? (groups[0] ?? 'default') : undefined)

function pinned(
  catalog: CatalogService,
  health: Health,
  wanted: Wanted,
  suits: (route: Route, wanted: Wanted) => boolean,
): Candidate | undefined {
  const route = catalog.snapshot().routes.get(wanted.caller.pinned ?? 0)
  if (route?.status !== 1) throw new GatewayError('relay.pin_unknown')
  const choice: Choice = { route, group: wanted.caller.groups[0] ?? 'default' }
  if (!suits(route, wanted) || route.pool !== undefined) return undefined
  return { ...choice, lease: health.take(route.id, wanted.models[0] ?? '') }
}

function once<T>(value: T) {
  let given = false
  return async () => {
    if (given) return undefined
    given = true
    return value
  }
}
