import type { ProtocolName } from '../protocols.ts'

/** What the settings of every program are made of. */
export interface Facts {
  /** Of the gateway, without a path and without a slash at its end. */
  address: string
  key: string
  /** The one that was chosen. */
  model: string
  /** All that the key may use for chats, the chosen one among them. */
  models: readonly string[]
  /** What the operator calls this gateway. */
  site: string
}

/** What is done with a part; the page has the words for it. */
export type Task = 'install' | 'environment' | 'config' | 'run' | 'call' | 'fill'

/** Something to paste: into a terminal, or into the file that is named. */
export interface Code {
  task: Exclude<Task, 'fill'>
  language: 'sh' | 'powershell' | 'json' | 'toml' | 'python' | 'javascript' | 'go'
  file?: string
  code: string
}

/** Values for the settings of a program with windows. */
export interface Fields {
  task: 'fill'
  fields: { label: FieldName; value: string }[]
}

export type FieldName = 'type' | 'address' | 'key' | 'model'
export type Part = Code | Fields

/** One of several ways to set a program up; they differ by system, language or place. */
export interface Variant {
  name: VariantName
  parts: (facts: Facts) => Part[]
}

export type VariantName = 'unix' | 'windows' | 'settings' | 'app' | 'docker' | 'curl' | 'python' | 'javascript' | 'go'
export type GroupName = 'agents' | 'chats' | 'libraries'

export interface Program {
  id: string
  name: string
  group: GroupName
  /** What it speaks, and with it what a test call is sent as. */
  protocol: ProtocolName
  /** Models that suit it, the best pattern first. Any other model works as well. */
  prefers: readonly RegExp[]
  /** Its own pages about these settings. */
  docs: string
  variants: readonly [Variant, ...Variant[]]
}
