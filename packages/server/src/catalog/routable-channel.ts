import type { ChannelConfig, KeyOrder, RateLimit } from '@tollgate/contract'

/** A channel with everything that calling it takes, secrets included. It never leaves the server's memory. */
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
  /** Undefined where the channel has its own key alone. */
  pool?: RoutablePool | undefined
}

/** The keys of a channel that has several, as far as they may be used, in their order. */
export interface RoutablePool {
  /** Grows with every change of the channel, so that of two the newer one is known. */
  version: number
  order: KeyOrder
  keys: readonly RoutableKey[]
  /** Where no key is left: the first that was set aside, for a test to find out whether it works again. */
  spare: RoutableKey | undefined
}

export interface RoutableKey {
  id: number
  /** The last characters, to tell keys apart. */
  hint: string
  /** Milliseconds; 0 where the vendor has not asked to wait. */
  cooldownUntil: number
  limits: RateLimit
  /** Opened when it is used first: of a thousand keys, most wait. Undefined where it does not open. */
  secrets(): KeySecrets | undefined
}

/** What a key adds to the access of its channel. */
export interface KeySecrets {
  key: string
  config: Pick<ChannelConfig, 'ak' | 'sk' | 'vertex_ai_adc'>
}
