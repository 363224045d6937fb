import type { ChannelFieldName } from './channel-type.ts'
import { channelType } from './channel-types.ts'
import { proxyUrl } from './proxy-url.ts'

/** The members of a channel that say where its key goes. `config` is as it is shown, without secrets. */
export interface ChannelPlace {
  type: number
  base_url: string
  config: Readonly<Record<string, unknown>>
}

/** The origin that a base address names; empty where the vendor's own is meant. */
export const originOf = (address: string) => URL.parse(address.trim())?.origin ?? ''

/** The members of `config` that decide where the key of a type goes: a region is part of a host, an account of a path. */
export const placeMembers = (type: number): string[] =>
  (channelType(type)?.fields ?? []).filter(({ place }) => place === true).map(({ name }) => memberOf(name))

/** What a stored key was given for. Where two differ, the key has to be typed again. */
export const keyPlace = ({ type, base_url, config }: ChannelPlace) => ({
  type,
  origin: originOf(base_url),
  members: placeMembers(type).map((name) => String(config[name] ?? '').trim()),
  proxy: proxyUrl(String(config.proxy ?? '')),
})

export const isSamePlace = (one: ChannelPlace, other: ChannelPlace) =>
  JSON.stringify(keyPlace(one)) === JSON.stringify(keyPlace(other))

/** One label of a host name, as clouds name their regions: `us-east-1`, `global`. Nothing in it can begin another host. */
export const isRegion = (text: string) => text.length <= 40 && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(text)

/** An http or https address to which paths can be added: a query, a fragment or credentials would swallow or move them. */
export function isBaseUrl(text: string) {
  if (!/^https?:\/\/[^/@]+(\/|$)/i.test(text) || /[?#\\\s\p{Cc}]/u.test(text)) return false
  return URL.parse(text)?.host !== undefined
}

const memberOf = (name: ChannelFieldName) => name.replace(/^config\./, '')
