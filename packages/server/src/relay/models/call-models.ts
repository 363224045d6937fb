import type { FallbackReason } from '@tollgate/contract'
import type { CatalogService } from '../../catalog/catalog-service.ts'
import type { OptionsService } from '../../options/options-service.ts'
import { underName } from '../answer.ts'
import type { RelayCaller } from '../caller/keys.ts'
import type { Call } from '../surfaces/call.ts'
import { listModels } from '../surfaces/model-list.ts'
import { unknownModel } from '../surfaces/unknown-model.ts'
import { modelBehind } from './aliases.ts'

interface Needs {
  catalog: CatalogService
  options: OptionsService
}

export type CallModels = ReturnType<typeof createCallModels>

/** The model that a name stands for, and those that may answer in its place. */
export const createCallModels = ({ catalog, options }: Needs) => {
  const isOffered = ({ groups }: RelayCaller, model: string) =>
    groups.some((group) => catalog.snapshot().offers(group, model).length > 0)

  return {
    /** The call with its alias resolved. */
    behindAlias(caller: RelayCaller, requested: Call): Call {
      const { ModelAliases } = options.values()
      const model = modelBehind(requested.model, ModelAliases, (name) => isOffered(caller, name))
      return underName(requested, model)
    },

    /** The fallback models for any of these reasons that the caller may use and a channel offers. */
    fallbacksOf({ caller, call }: { caller: RelayCaller; call: Call }, reasons: readonly FallbackReason[]) {
      const fallback = caller.fallback ? options.values().ModelFallbacks.get(call.model) : undefined
      if (fallback === undefined || !reasons.some((reason) => fallback.on.includes(reason))) return []
      return fallback.to.filter((other) => caller.models?.has(other) !== false && isOffered(caller, other))
    },

    /** The hint for a name that the caller cannot use. */
    hintFor: (caller: RelayCaller, { model, operation }: Call) =>
      unknownModel(model, listModels(catalog, caller), operation.family),
  }
}
