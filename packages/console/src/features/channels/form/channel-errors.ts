import {
  type Channel,
  type ChannelField,
  channelType,
  fitsKeyFormat,
  isBaseUrl,
  isJsonObject,
  isRegion,
  parseProxy,
} from '@tollgate/contract'
import type { Words } from '../../../text/words.ts'
import type { zh } from '../../../text/zh/channels.ts'
import { keptHeaders, mustRetype } from './channel-key.ts'
import { type ChannelValues, compoundKey, valueName } from './channel-values.ts'
import { mappingRows } from './mapping.ts'
import { ruleErrors } from './rule-rows.ts'

interface Context {
  text: Words<typeof zh>
  /** The channel being edited; undefined for a new one. */
  stored: Channel | undefined
  labelOf: (field: ChannelField) => string
}

/** Validation errors by field, in the order of the fields. */
export function channelErrors(values: ChannelValues, { text, stored, labelOf }: Context): Record<string, string> {
  const type = channelType(values.type)
  const retype = stored !== undefined && mustRetype(values, stored)
  const needsSecrets = stored === undefined || retype
  const special = (type?.fields ?? []).filter(
    ({ name, required, secret }) =>
      required && values[valueName(name)].trim() === '' && (needsSecrets || secret !== true),
  )
  const asksCredentials = type?.fields.some(({ name }) => name === 'config.vertex_ai_adc') === true
  const asksRegion = type?.fields.some(({ name }) => name === 'config.region') === true && values.region.trim() !== ''
  const hasKey = compoundKey(values.type) !== undefined || values.key.trim() !== ''
  return {
    ...(values.name.trim() === '' && { name: stored === undefined ? text.needNameAndKey : text.needName }),
    ...(values.groups.length === 0 && { groups: text.needGroup }),
    ...Object.fromEntries(special.map((field) => [valueName(field.name), text.need(labelOf(field))])),
    ...(!hasKey && stored === undefined && { key: text.needNameAndKey }),
    ...(!hasKey && retype && { key: text.keyAgain }),
    ...(typedKeys(values).some((key) => !fitsKeyFormat(values.type, key)) && {
      key: text.badKey(type?.keyFormat ?? ''),
    }),
    ...(asksCredentials && !isCredential(values.vertex_ai_adc) && { vertex_ai_adc: text.badCredentials }),
    ...(asksRegion && !isRegion(values.region.trim()) && { region: text.badRegion }),
    ...(values.base_url.trim() !== '' && !isBaseUrl(values.base_url.trim()) && { base_url: text.badUrl }),
    ...(type?.hasModels !== false && values.models.length === 0 && { models: text.needModel }),
    ...(mappingRows(values.model_mapping) === undefined && { model_mapping: text.badMapping }),
    ...(values.proxy.trim() !== '' && parseProxy(values.proxy) === undefined && { proxy: text.badProxy }),
    ...ruleErrors(values, keptHeaders(stored, retype), text),
  }
}

/** One per line, as the server splits them; keys entered in parts are not such text. */
const typedKeys = ({ type, key }: ChannelValues) =>
  compoundKey(type) !== undefined
    ? []
    : key
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')

const isCredential = (text: string) => text.trim() === '' || isJsonObject(text)
