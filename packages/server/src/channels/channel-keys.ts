import type { ChannelConfig } from '@tollgate/contract'

const AWS = 33
const VERTEX = 42

/** Some consoles join parts they do not have. */
const NO_KEY = /^(undefined\|?)+$/

/** One key per line makes one channel per line, except where a key itself spans lines. */
export const splitKeys = (type: number, text: string) => {
  const keys = type === VERTEX || text.includes('{') ? [text] : text.split('\n')
  return keys.map((key) => key.trim()).filter((key) => key !== '' && !NO_KEY.test(key))
}

/**
 * Key and config say the same thing twice for two vendors: `ak|sk|region` and `region|project|credentials`. Whichever
 * of the two came, both are filled in.
 */
export const assembleKey = (type: number, key: string, config: ChannelConfig) => {
  if (type === AWS) {
    const [ak = config.ak, sk = config.sk, region = config.region] = key === '' ? [] : key.split('|')
    const full = { ...config, ...given({ ak, sk, region }) }
    return { key: joined(full.ak, full.sk, full.region) ?? key, config: full }
  }
  if (type === VERTEX) {
    const [
      ,
      region = config.region,
      vertex_ai_project_id = config.vertex_ai_project_id,
      vertex_ai_adc = config.vertex_ai_adc,
    ] = /^([^|]*)\|([^|]*)\|(.*)$/s.exec(key) ?? []
    const full = { ...config, ...given({ region, vertex_ai_project_id, vertex_ai_adc }) }
    return { key: joined(full.region, full.vertex_ai_project_id, full.vertex_ai_adc) ?? key, config: full }
  }
  return { key, config }
}

function joined(...parts: (string | undefined)[]) {
  return parts.every((part) => part !== undefined && part !== '') ? parts.join('|') : undefined
}

/** Only the members that have a value. */
function given(members: ChannelConfig): ChannelConfig {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== ''))
}
