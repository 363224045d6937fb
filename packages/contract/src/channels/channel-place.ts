import type { ChannelFieldName } from './channel-type.ts'
import { channelType } from './channel-types.ts'
import { proxyUrl } from './proxy-url.ts'

/** The members of a channel that determine where its key is sent. `config` is as shown, without secrets. */
export interface ChannelPlace {
  type: number
  base_url: string
  config: Readonly<Record<string, unknown>>
}

/** The origin of a base address; empty for the vendor's own. */
export const originOf = (address: string) => URL.parse(address.trim())?.origin ?? ''

/** The members of `config` that determine where a key of this type is sent: a region is part of the host, an account of the path. */
export const placeMembers = (type: number): string[] =>
  (channelType(type)?.fields ?? []).filter(({ place }) => place === true).map(({ name }) => memberOf(name))

/** The destination a stored key was entered for. When it changes, the key has to be entered again. */
export const keyPlace = ({ type, base_url, config }: ChannelPlace) => ({
  type,
  origin: originOf(base_url),
  members: placeMembers(type).map((name) => String(config[name] ?? '').trim()),
  proxy: proxyUrl(String(config.proxy ?? '')),
})

export const isSamePlace = (one: ChannelPlace, other: ChannelPlace) =>
  JSON.stringify(keyPlace(one)) === JSON.stringify(keyPlace(other))

/** One DNS label, as cloud providers name regions: `us-east-1`, `global`. It cannot start another host name. */
export const isRegion = (text: string) => text.length <= 40 && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(text)

/** An http or https address to which paths can be added: a query, a fragment or credentials would swallow or move them. */
export function isBaseUrl(text: string) {
  if (!/^https?:\/\/[^/@]+(\/|$)/i.test(text) || /[?#\\\s\p{Cc}]/u.test(text)) return false
  return URL.parse(text)?.host !== undefined
}

const memberOf = (name: ChannelFieldName) => name.replace(/^config\./, '')
