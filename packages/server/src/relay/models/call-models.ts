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

/** A call, and the name that its caller used. */
interface Requested {
  caller: RelayCaller
  call: Call
  requestedModel: string
}

/** A key that allows an alias allows its target. */
const mayUse = ({ models }: RelayCaller, { name, model }: { name: string; model: string }) =>
  models === undefined || models.has(name) || models.has(model)

export type CallModels = ReturnType<typeof createCallModels>

/** The model that a name stands for, and those that may answer in its place. */
export const createCallModels = ({ catalog, options }: Needs) => {
  const isOffered = ({ groups }: RelayCaller, model: string) =>
    groups.some((group) => catalog.snapshot().offers(group, model).length > 0)

  const behind = (caller: RelayCaller, name: string) =>
    modelBehind(name, options.values().ModelAliases, (model) => isOffered(caller, model))

  return {
    /** The call with its alias resolved. */
    behindAlias: (caller: RelayCaller, requested: Call): Call => underName(requested, behind(caller, requested.model)),

    mayUse,

    /** The fallback models for any of these reasons that the caller may use and a channel offers. Both columns may have aliases. */
    fallbacksOf({ caller, call, requestedModel }: Requested, reasons: readonly FallbackReason[]): string[] {
      const { ModelFallbacks } = options.values()
      if (!caller.fallback || ModelFallbacks.size === 0) return []
      const fallback = ModelFallbacks.get(requestedModel) ?? ModelFallbacks.get(call.model)
      if (fallback === undefined || !reasons.some((reason) => fallback.on.includes(reason))) return []
      const models = fallback.to
        .map((name) => ({ name, model: behind(caller, name) }))
        .filter((one) => mayUse(caller, one) && isOffered(caller, one.model))
        .map(({ model }) => model)
      return [...new Set(models)].filter((model) => model !== call.model)
    },

    /** The hint for a name that the caller cannot use. */
    hintFor: (caller: RelayCaller, { model, operation }: Call) =>
      unknownModel(model, listModels(catalog, caller), operation.family),
  }
}
