import type { ProtocolName } from '../protocols.ts'

/** The inputs of every program's settings. */
export interface Facts {
  /** The gateway's address, without path and trailing slash. */
  address: string
  key: string
  /** The chosen model. */
  model: string
  /** All chat models that the key may use, including the chosen one. */
  models: readonly string[]
  /** The site's name. */
  site: string
}

/** What to do with a part; the page has the texts for it. */
export type Task = 'install' | 'environment' | 'config' | 'run' | 'call' | 'fill'

/** Text to paste into a terminal, or into the named file. */
export interface Code {
  task: Exclude<Task, 'fill'>
  language: 'sh' | 'powershell' | 'json' | 'toml' | 'python' | 'javascript' | 'go'
  file?: string
  code: string
}

/** Values for the settings dialog of a graphical program. */
export interface Fields {
  task: 'fill'
  fields: { label: FieldName; value: string }[]
}

export type FieldName = 'type' | 'address' | 'key' | 'model'
export type Part = Code | Fields

/** One of several ways to configure a program, by system, language or location. */
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
  /** Its API protocol, which the test call uses too. */
  protocol: ProtocolName
  /** Suitable models, best pattern first. Any other model works as well. */
  prefers: readonly RegExp[]
  /** Its own documentation of these settings. */
  docs: string
  variants: readonly [Variant, ...Variant[]]
}
