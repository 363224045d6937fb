import {
  type Channel,
  ChannelConfig,
  type ChannelFieldName,
  commaList,
  Defaults,
  type FailureEnd,
  type KeyOrder,
} from '@tollgate/contract'
import { type BodyRow, bodyRows, type HeaderRow, headerRows } from './rule-rows.ts'

/** The form values: lists as arrays, and the members of `config` beside the rest. */
export interface ChannelValues {
  type: number
  name: string
  groups: string[]
  models: string[]
  model_mapping: string
  key: string
  /** Several keys make one channel. */
  key_pool: boolean
  key_order: KeyOrder
  base_url: string
  other: string
  region: string
  ak: string
  sk: string
  user_id: string
  vertex_ai_project_id: string
  vertex_ai_adc: string
  /** As typed; empty is ignored. */
  priority: string | number
  weight: string | number
  system_prompt: string
  test_model: string
  tag: string
  prompt_caching: NonNullable<ChannelConfig['prompt_caching']>
  header_rules: HeaderRow[]
  body_rules: BodyRow[]
  /** Seconds; empty means the default. */
  connect_timeout: string | number
  first_byte_timeout: string | number
  ignored_failures: FailureEnd[]
  proxy: string
  proxy_user: string
  proxy_password: string
}

export const NEW_CHANNEL: ChannelValues = {
  type: 1,
  name: '',
  groups: [Defaults.group],
  models: [],
  model_mapping: '',
  key: '',
  key_pool: false,
  key_order: 'round_robin',
  base_url: '',
  other: '',
  region: '',
  ak: '',
  sk: '',
  user_id: '',
  vertex_ai_project_id: '',
  vertex_ai_adc: '',
  priority: 0,
  weight: 0,
  system_prompt: '',
  test_model: '',
  tag: '',
  prompt_caching: '',
  header_rules: [],
  body_rules: [],
  connect_timeout: '',
  first_byte_timeout: '',
  ignored_failures: [],
  proxy: '',
  proxy_user: '',
  proxy_password: '',
}

export const toValues = (channel: Channel): ChannelValues => {
  const { type, name, model_mapping, base_url, other, priority, weight, system_prompt, test_model, tag } = channel
  const { region = '', user_id = '', vertex_ai_project_id = '', prompt_caching = '', ...config } = configOf(channel)
  return {
    ...NEW_CHANNEL,
    ...{ type, name, model_mapping, base_url, other, priority, weight, system_prompt, test_model, tag },
    ...{ region, user_id, vertex_ai_project_id, prompt_caching },
    header_rules: headerRows(config.header_rules ?? []),
    body_rules: bodyRows(config.body_rules ?? []),
    connect_timeout: config.connect_timeout ?? '',
    first_byte_timeout: config.first_byte_timeout ?? '',
    ignored_failures: config.ignored_failures ?? [],
    proxy: config.proxy ?? '',
    groups: commaList(channel.group),
    models: commaList(channel.models),
  }
}

const VALUE_NAMES = {
  base_url: 'base_url',
  other: 'other',
  'config.region': 'region',
  'config.ak': 'ak',
  'config.sk': 'sk',
  'config.user_id': 'user_id',
  'config.vertex_ai_project_id': 'vertex_ai_project_id',
  'config.vertex_ai_adc': 'vertex_ai_adc',
} as const satisfies Record<ChannelFieldName, keyof ChannelValues>

/** The form field of a special field. */
export const valueName = (field: ChannelFieldName) => VALUE_NAMES[field]

/** The number of keys in a text: one per line, except for types whose key spans lines. */
export function keyCount(type: number, text: string) {
  if (text.trim() === '') return 0
  if (type === 42 || text.includes('{')) return 1
  return text.split('\n').filter((line) => line.trim() !== '').length
}

const COMPOUND = {
  33: ['ak', 'sk', 'region'],
  42: ['region', 'vertex_ai_project_id', 'vertex_ai_adc'],
} as const

/** The parts of a compound key, in the order in which they are joined. */
export const compoundKey = (type: number) => (type === 33 || type === 42 ? COMPOUND[type] : undefined)

/** Types whose channels may lead to Claude through another dialect than its own. */
export const hostsClaude = (type: number) => CLAUDE_HOSTS.has(type)

const CLAUDE_HOSTS: ReadonlySet<number> = new Set([14, 20, 33, 42])

/** The members of a stored `config`; none of an unreadable one. */
export function configOf({ config }: Channel): ChannelConfig {
  try {
    return ChannelConfig.safeParse(JSON.parse(config)).data ?? {}
  } catch {
    return {}
  }
}
