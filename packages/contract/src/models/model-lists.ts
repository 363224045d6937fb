import { z } from 'zod'
import { endpoint } from '../api/endpoint.ts'
import { byId, id, pageQuery } from '../api/fields.ts'
import { BULK_MAX, BulkResult } from '../channels/channel-bulk.ts'
import { channelPageSize } from '../channels/channel-filter.ts'
import { ModelListNews } from './model-list-news.ts'

/** Models of one channel per accept or ignore. */
export const MODEL_LIST_MAX = 5000

const ListedModel = z.object({
  model: z.string(),
  /** False: calls to it are billed at the option `DefaultModelRatio`. */
  priced: z.boolean(),
})

const MissingModel = z.object({
  model: z.string(),
  /** The provider's name for it, by the channel's model mapping. */
  upstream: z.string(),
})

export type ListedModel = z.infer<typeof ListedModel>
export type MissingModel = z.infer<typeof MissingModel>

/** Changes in the model list of a channel's provider. */
export const ModelList = z.object({
  /** Of the channel. */
  id: z.int(),
  name: z.string(),
  type: z.int(),
  /** The last check, and the last successful one; 0 for never. */
  looked_at: z.int(),
  listed_at: z.int(),
  error: ModelListNews.shape.error,
  /** Listed since the previous check, and not offered by the channel. */
  added: z.array(ListedModel),
  /** The channel offers it, and the provider does not list it. */
  missing: z.array(MissingModel),
})

export type ModelList = z.infer<typeof ModelList>

export const ModelListDetail = ModelList.extend({
  /** Listed and not offered, but not new: never chosen, or ignored. */
  others: z.array(ListedModel),
  /** Offered, not listed, and ignored. */
  kept: z.array(MissingModel),
})

export type ModelListDetail = z.infer<typeof ModelListDetail>

const models = z.array(z.string().min(1).max(256)).max(MODEL_LIST_MAX).default([])

/** Models by the names that the channel offers, or would offer. */
const ModelListChange = z.strictObject({ id, added: models, missing: models })

const changes = z.array(ModelListChange).min(1).max(BULK_MAX)

export type ModelListChange = z.infer<typeof ModelListChange>

export const modelLists = {
  list: endpoint({
    method: 'GET',
    path: '/api/model_list/',
    access: 'admin',
    paged: true,
    summary: {
      zh: '服务商模型列表有变化或读不到的渠道',
      en: "Channels whose provider's list of models has changed, or could not be read",
    },
    query: pageQuery.extend({ page_size: channelPageSize }),
    data: z.array(ModelList),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/model_list/:id',
    access: 'admin',
    summary: { zh: '渠道的服务商模型列表有哪些变化', en: "What came and went in the list of a channel's provider" },
    params: byId,
    data: ModelListDetail,
  }),
  look: endpoint({
    method: 'POST',
    path: '/api/model_list/:id/look',
    access: 'admin',
    summary: { zh: '现在查看渠道的服务商模型列表', en: "Look at the list of a channel's provider now" },
    params: byId,
    data: ModelListDetail,
  }),
  accept: endpoint({
    method: 'POST',
    path: '/api/model_list/accept',
    access: 'admin',
    summary: {
      zh: '接受变化：向渠道添加模型、从渠道移除模型；先预览，再一次全部完成',
      en: 'Accept changes: add models to channels and remove models from them, a preview first, then all of them or none',
    },
    body: z.strictObject({ changes, preview: z.boolean() }),
    data: BulkResult.extend({
      /** Models to add that have no price, with their channels. */
      unpriced: z.array(z.object({ model: z.string(), channels: z.array(z.int()) })),
    }),
  }),
  ignore: endpoint({
    method: 'POST',
    path: '/api/model_list/ignore',
    access: 'admin',
    summary: {
      zh: '忽略变化，直到列表变回去',
      en: 'Ignore changes until the list changes back',
    },
    body: z.strictObject({ changes }),
  }),
}
