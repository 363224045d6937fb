import { GatewayError } from '../../common/errors.ts'
import type { ApiFamily } from './api-family.ts'
import { nearName } from './near-name.ts'

/** The hint for an unknown model name: the name that was probably meant, or where to find one. */
export const unknownModel = (model: string, usable: readonly string[], family: ApiFamily) => {
  const near = nearName(model, usable)
  const list = family === 'google' ? '/v1beta/models' : '/v1/models'
  const hint = near === undefined ? new GatewayError('relay.listed_models', { list }) : didYouMean(near)
  return { model, hint: { zh: hint.in('zh'), en: hint.in('en') } }
}

const didYouMean = (near: string) => new GatewayError('relay.near_model', { near })
