import type { ChannelConfig } from '@tollgate/contract'

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
}
