import { z } from 'zod'
import { blankable, echoed, line } from '../api/fields.ts'
import { Limits } from '../api/limits.ts'
import { KeyOrder } from './channel-keys.ts'
import { isBaseUrl } from './channel-place.ts'
import { channelType } from './channel-types.ts'

export const typeNumber = z.int().refine((value) => channelType(value) !== undefined, { error: 'channel.unknown_type' })

export const BASE_URL_MAX = 2048

/** A base address is http or https, without credentials, query or fragment. Empty means the vendor's own. */
export const baseUrl = z
  .string()
  .trim()
  .max(BASE_URL_MAX)
  .refine((text) => text === '' || isBaseUrl(text), { error: 'channel.bad_base_url' })

/** What a new and an edited channel may set. */
export const channelFields = {
  base_url: baseUrl.nullish(),
  other: z.string().max(4096).nullish(),
  config: z
    .string()
    .max(Limits.secretMax * 2)
    .optional(),
  model_mapping: z.string().max(Limits.listTextMax).nullish(),
  system_prompt: z.string().max(Limits.listTextMax).nullish(),
  test_model: z.string().max(256).nullish(),
  priority: blankable(z.int().min(-1_000_000_000).max(1_000_000_000)).optional(),
  weight: blankable(z.int().min(0).max(1_000_000_000)).optional(),
  group: z.string().max(1024).optional(),
  tag: line(Limits.channelTagMax).trim().nullish(),
  key_order: KeyOrder.optional(),
}

/** What clients send back from an earlier answer, and what older consoles sent. */
export const readOnlyFields = echoed(
  'groups',
  'key_hint',
  'key_count',
  'config_secrets',
  'status_reason',
  'status_reason_en',
  'created_time',
  'test_time',
  'response_time',
  'test_error',
  'balance',
  'balance_updated_time',
  'used_quota',
  'unpriced',
  'model_list',
  'is_edit',
  'auto_ban',
  'openai_organization',
)
