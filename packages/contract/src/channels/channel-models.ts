import { z } from 'zod'
import { endpoint } from '../api/endpoint.ts'
import { byId } from '../api/fields.ts'
import { Limits } from '../api/limits.ts'
import { baseUrl, typeNumber } from './channel-fields.ts'

/** Which models a vendor, a channel or a type of channels has, and which of them have no price. */
export const channelModels = {
  fetchModels: endpoint({
    method: 'GET',
    path: '/api/channel/fetch_models/:id',
    access: 'admin',
    effects: true,
    summary: { zh: '向上游查询渠道的模型列表', en: "Ask a channel's vendor for its models" },
    params: byId,
    data: z.object({ models: z.array(z.string()), added: z.array(z.string()), missing: z.array(z.string()) }),
  }),
  listModels: endpoint({
    method: 'POST',
    path: '/api/channel/fetch_models',
    access: 'admin',
    summary: {
      zh: '用尚未保存的密钥向上游查询模型列表',
      en: 'Ask a vendor for its models with a key that is not saved yet',
    },
    body: z.strictObject({
      type: typeNumber,
      base_url: baseUrl.default(''),
      key: z.string().max(Limits.secretMax * 10),
      other: z.string().max(4096).default(''),
      config: z
        .string()
        .max(Limits.secretMax * 2)
        .default(''),
    }),
    data: z.array(z.string()),
  }),
  unpriced: endpoint({
    method: 'GET',
    path: '/api/channel/unpriced',
    access: 'admin',
    summary: {
      zh: '已启用的渠道中没有价格的模型，及提供它们的渠道',
      en: 'The models of enabled channels that have no price, and the channels that offer them',
    },
    data: z.array(z.object({ model: z.string(), channels: z.array(z.int()) })),
  }),
  findUnpriced: endpoint({
    method: 'POST',
    path: '/api/channel/unpriced',
    access: 'admin',
    summary: {
      zh: '给出的模型中，哪些在这种渠道里没有价格',
      en: 'Which of these models would have no price in a channel of this type',
    },
    body: z.strictObject({
      type: typeNumber,
      models: z.array(z.string().max(256)).max(5000),
      model_mapping: z.string().max(Limits.listTextMax).default(''),
    }),
    data: z.array(z.string()),
  }),
  models: endpoint({
    method: 'GET',
    path: '/api/channel/models',
    access: 'admin',
    summary: { zh: '所有已知模型', en: 'All known models' },
    data: z.array(z.object({ id: z.string(), object: z.literal('model'), owned_by: z.string() })),
    extra: z.object({ object: z.literal('list') }),
  }),
  modelsByType: endpoint({
    method: 'GET',
    path: '/api/models',
    access: 'user',
    summary: { zh: '每种渠道的默认模型', en: 'Default models of each channel type' },
    data: z.record(z.string(), z.array(z.string())),
    /** Models without a price: their calls are billed at the ratio for unknown models. */
    extra: z.object({ unpriced: z.record(z.string(), z.array(z.string())) }),
  }),
}
