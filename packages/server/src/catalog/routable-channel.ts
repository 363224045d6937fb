import type { ChannelConfig, KeyOrder, RateLimit } from '@tollgate/contract'

/** A channel with everything needed to call it, including secrets. It never leaves the server's memory. */
export interface RoutableChannel {
  id: number
  name: string
  type: number
  status: number
  priority: number
  weight: number
  models: string[]
  groups: string[]
  mapping: ReadonlyMap<string, string>
  systemPrompt: string
  testModel: string
  baseUrl: string
  key: string
  other: string
  config: ChannelConfig
  /** Undefined when the channel has a single key. */
  pool?: RoutablePool | undefined
}

/** The usable keys of a channel with several, in order. */
export interface RoutablePool {
  /** Grows with every change of the channel, so that the newer of two is known. */
  version: number
  order: KeyOrder
  keys: readonly RoutableKey[]
  /** When no key is usable: the first one set aside, for a test whether it works again. */
  spare: RoutableKey | undefined
}

export interface RoutableKey {
  id: number
  /** The last characters, to distinguish keys. */
  hint: string
  /** Until when the key cools down for a model, in milliseconds. */
  cooldowns: ReadonlyMap<string, number>
  limits: RateLimit
  /** Decrypted on first use: of a thousand keys most stay unused. Undefined when it cannot be decrypted. */
  secrets(): KeySecrets | undefined
}

/** What a key adds to the access of its channel. */
export interface KeySecrets {
  key: string
  config: Pick<ChannelConfig, 'ak' | 'sk' | 'vertex_ai_adc'>
}
