import { type ChannelConfig, channelType, fitsKeyFormat, isJsonObject } from '@tollgate/contract'
import { GatewayError } from '../common/errors.ts'

const AWS = 33
const VERTEX = 42

/** Credentials may contain the separator, the parts before them do not. */
const COMPOUND_VERTEX = /^([^|]*)\|([^|]*)\|(.*)$/s

/** Some consoles join undefined parts. */
const NO_KEY = /^(undefined\|?)+$/

/** One key per line makes one channel per line, except for types whose key spans lines. */
export const splitKeys = (type: number, text: string) => {
  const keys = type === VERTEX || text.includes('{') ? [text] : text.split('\n')
  return keys.map((key) => key.trim()).filter((key) => key !== '' && !NO_KEY.test(key))
}

/**
 * For two vendors the key repeats parts of the config: `ak|sk|region` and `region|project|credentials`. Whichever was
 * entered, both are filled in.
 */
export const assembleKey = (type: number, key: string, config: ChannelConfig) => {
  if (type === AWS) {
    // A key without separators is a Bedrock API key, which needs no signature and uses the separate region.
    const parts = key.includes('|') ? key.split('|').map((part) => part.trim()) : []
    const [ak = config.ak, sk = config.sk, region = config.region] = parts
    const full = { ...config, ...given({ ak, sk, region }) }
    return { key: joined(full.ak, full.sk, full.region) ?? key, config: full }
  }
  if (type === VERTEX) {
    const [
      ,
      region = config.region,
      vertex_ai_project_id = config.vertex_ai_project_id,
      vertex_ai_adc = config.vertex_ai_adc,
    ] = COMPOUND_VERTEX.exec(key) ?? []
    const full = {
      ...config,
      ...given({ region: region?.trim(), vertex_ai_project_id: vertex_ai_project_id?.trim(), vertex_ai_adc }),
    }
    return { key: joined(full.region, full.vertex_ai_project_id, full.vertex_ai_adc) ?? key, config: full }
  }
  return { key, config }
}

/**
 * Rejects a key that its vendor cannot have issued: a missing part, or a truncated file. The message contains the format and
 * never the key. `typed` is the key as entered, before other parts were added.
 */
export const checkKey = (
  type: number,
  { typed, key, config }: { typed: string; key: string; config: ChannelConfig },
) => {
  const format = channelType(type)?.keyFormat ?? ''
  refuseUnsendable(key)
  if (type === AWS) {
    const hasGap = typed.includes('|') && typed.split('|').some((part) => part.trim() === '')
    return check(!hasGap && (fitsKeyFormat(type, key) || (!key.includes('|') && !!config.region)), format)
  }
  if (type !== VERTEX) return check(fitsKeyFormat(type, key), format)
  check(typed === '' || COMPOUND_VERTEX.test(typed) || isJsonObject(typed), format)
  if (!isJsonObject(config.vertex_ai_adc ?? key)) throw new GatewayError('channel.bad_credentials')
}

/** No header could carry it. The text of a credentials file may have any character. */
function refuseUnsendable(key: string) {
  const [character] = (!key.includes('{') && /[^\x20-\x7e]/u.exec(key)) || []
  if (character !== undefined)
    throw new GatewayError('channel.key_character', { character: character.replace('\n', '⏎') })
}

function check(fits: boolean, format: string) {
  if (!fits) throw new GatewayError('channel.bad_key', { format })
}

function joined(...parts: (string | undefined)[]) {
  return parts.every((part) => part !== undefined && part !== '') ? parts.join('|') : undefined
}

/** Only the members that have a value. */
function given(members: ChannelConfig): ChannelConfig {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== ''))
}
