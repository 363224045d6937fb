import { CHANNEL_TYPES } from '@tollgate/contract'
import { type BatchAdapter, providerOf } from '@tollgate/providers'
import { GatewayError } from '../common/errors.ts'

/** The error when no channel takes a batch of this API with these models, and which types of channels do take such batches. */
export const noBatches = (models: readonly string[], dialect: BatchAdapter['dialect']) => {
  const types = CHANNEL_TYPES.filter(({ value }) => providerOf(value)?.batches?.dialect === dialect)
  return new GatewayError('relay.no_batches', {
    models: models.join(', '),
    types: {
      zh: types.map(({ label }) => label.zh).join('、'),
      en: types.map(({ label }) => label.en).join(', '),
    },
  })
}
