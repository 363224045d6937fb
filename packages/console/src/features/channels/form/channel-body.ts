import {
  type Channel,
  type ChannelConfig,
  type channels,
  channelType,
  type Sent,
  stripTrailingSlash,
  type warnings,
} from '@tollgate/contract'
import { changedMembers } from '../../../lib/forms/changed-members.ts'
import { wholeNumber } from '../list/whole-number.ts'
import {
  type ChannelValues,
  compoundKey,
  configOf,
  hostsClaude,
  keyCount,
  toValues,
  valueName,
} from './channel-values.ts'
import { bodyRules, headerRules } from './rule-rows.ts'

/* What is sent of a channel's form: to create, to edit, to check for warnings, and to list the vendor's models. */

type Creation = Sent<typeof channels.create>['body']
type ChannelInput = Pick<
  Creation,
  | 'type'
  | 'name'
  | 'group'
  | 'models'
  | 'model_mapping'
  | 'base_url'
  | 'other'
  | 'config'
  | 'key'
  | 'key_pool'
  | 'key_order'
  | 'system_prompt'
  | 'test_model'
  | 'priority'
  | 'weight'
  | 'tag'
>

/** The body of a creation. */
export function toInput(values: ChannelValues): ChannelInput {
  const { type, name, groups, models, model_mapping, base_url, system_prompt, test_model, tag } = values
  return {
    type,
    name: name.trim(),
    group: groups.join(','),
    models: channelType(type)?.hasModels === false ? '' : models.join(','),
    model_mapping: model_mapping.trim(),
    base_url: stripTrailingSlash(base_url.trim()),
    other: otherOf(values),
    config: JSON.stringify(typedConfig(values)),
    key: keyOf(values),
    ...poolOf(values),
    system_prompt: system_prompt.trim(),
    test_model,
    tag: tag.trim(),
    priority: wholeNumber(String(values.priority)),
    weight: wholeNumber(String(values.weight), { min: 0 }),
  }
}

/** The body of an edit: what was changed in the form, and everything with another type. */
export function toEdit(values: ChannelValues, channel: Channel): Sent<typeof channels.update>['body'] {
  const all = editedInput(values, channel)
  const changed = values.type === channel.type ? changedMembers(editedInput(toValues(channel), channel), all) : all
  return { id: channel.id, ...changed }
}

/** Members of `config` that no form shows are kept as long as the type stays the same. */
function editedInput(values: ChannelValues, channel: Channel): ChannelInput {
  const kept = values.type === channel.type ? hiddenMembers(channel) : {}
  return {
    ...toInput(values),
    // An absent proxy would be kept.
    config: JSON.stringify({ ...kept, ...(configOf(channel).proxy && { proxy: '' }), ...typedConfig(values) }),
  }
}

/** The part that can make calls fail, without anything secret. */
export function toCheck(values: ChannelValues): Sent<typeof warnings.channel>['body'] {
  const { type, group, models, model_mapping, base_url } = toInput(values)
  const { header_rules = [], body_rules = [], first_byte_timeout, proxy = '' } = settingsOf(values)
  return {
    ...{ type, group, models, model_mapping: model_mapping ?? '', base_url: base_url ?? '', proxy },
    header_rules: header_rules.map(({ name, action }) => ({ name, action })),
    body_rules: body_rules.map(({ path, action, value }) => ({ path, action, ...(value !== undefined && { value }) })),
    ...(first_byte_timeout !== undefined && { first_byte_timeout }),
  }
}

/** How to fetch the vendor's models: with the form's values, or else as the stored channel. */
export function modelSource(values: ChannelValues, stored: Channel | undefined) {
  const key = keyOf(values)
  if (key === '') return stored && { id: stored.id }
  return {
    type: values.type,
    base_url: stripTrailingSlash(values.base_url.trim()),
    key,
    other: otherOf(values),
    config: JSON.stringify(typedConfig(values)),
  }
}

/** Only when relevant: one key is one channel either way. */
const poolOf = ({ type, key, key_pool, key_order }: ChannelValues) =>
  key_pool && channelType(type)?.hasModels !== false && keyCount(type, key) > 1 ? { key_pool, key_order } : {}

/** Two vendors have keys of several parts. With a part missing, the stored key is kept. */
function keyOf(values: ChannelValues) {
  const format = compoundKey(values.type)
  if (format === undefined) return values.key.trim()
  const parts = format.map((name) => values[name].trim())
  return parts.some((part) => part === '') ? '' : parts.join('|')
}

function typedConfig(values: ChannelValues): ChannelConfig {
  const names = fieldsOf(values.type)
    .filter((name) => name.startsWith('config.'))
    .map(valueName)
  const typed = names.map((name) => [name, values[name].trim()])
  const chosen = hostsClaude(values.type) ? [['prompt_caching', values.prompt_caching]] : []
  const entries = [...typed, ...chosen, ...Object.entries(settingsOf(values))]
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ''))
}

/** Settings common to every type. */
function settingsOf(values: ChannelValues) {
  const header_rules = headerRules(values.header_rules)
  const body_rules = bodyRules(values.type, values.body_rules)
  return {
    ...(header_rules.length > 0 && { header_rules }),
    ...(body_rules.length > 0 && { body_rules }),
    connect_timeout: wholeNumber(String(values.connect_timeout)),
    first_byte_timeout: wholeNumber(String(values.first_byte_timeout)),
    ...(values.ignored_failures.length > 0 && { ignored_failures: values.ignored_failures }),
    ...(values.proxy.trim() !== '' && {
      proxy: stripTrailingSlash(values.proxy.trim()),
      proxy_user: values.proxy_user,
      proxy_password: values.proxy_password,
    }),
  }
}

const SETTINGS = ['header_rules', 'body_rules', 'connect_timeout', 'first_byte_timeout', 'ignored_failures', 'proxy']

function otherOf({ type, other }: ChannelValues) {
  const field = channelType(type)?.fields.find(({ name }) => name === 'other')
  if (field === undefined) return ''
  return other.trim() === '' ? (field.default ?? '') : other.trim()
}

const fieldsOf = (type: number) => (channelType(type)?.fields ?? []).map(({ name }) => name)

function hiddenMembers(channel: Channel) {
  const chosen = hostsClaude(channel.type) ? ['config.prompt_caching'] : []
  const settings = SETTINGS.map((name) => `config.${name}`)
  const shown = [...fieldsOf(channel.type).map(String), ...chosen, ...settings]
  return Object.fromEntries(
    Object.entries(configOf(channel)).filter(([name, value]) => value !== '' && !shown.includes(`config.${name}`)),
  )
}
