import type { Text } from '../api/endpoint.ts'

/** Where the value of a special field is stored on the channel. */
export type ChannelFieldName =
  | 'base_url'
  | 'other'
  | 'config.region'
  | 'config.ak'
  | 'config.sk'
  | 'config.user_id'
  | 'config.vertex_ai_project_id'
  | 'config.vertex_ai_adc'

export interface ChannelField {
  name: ChannelFieldName
  label: Text
  required: boolean
  placeholder?: string
  /** Used when the field is left empty. */
  default?: string
  /** Write-only: responses never include it. */
  secret?: true
  /** Determines where the key is sent: when it changes, the key has to be entered again. */
  place?: true
}

/** The unit of a vendor's balance. */
export type BalanceUnit = 'usd' | 'cny' | 'cny10000' | 'quota'

/** The section of the type list: model vendors, resellers, knowledge bases, self-hosted. */
export type ChannelKind = 'vendor' | 'reseller' | 'knowledge' | 'own'

export interface ChannelType {
  value: number
  key: string
  label: Text
  color: string
  kind: ChannelKind
  /** The vendor's own address, used when a channel names none. Absent when the channel has to name one. */
  baseUrl?: string
  fields: readonly ChannelField[]
  /** How the parts of a compound key are joined, or what the vendor calls the key. */
  keyFormat?: string
  /** Absent when the vendor has no balance API. */
  balance?: BalanceUnit
  /** False for the plain proxy, which relays any path and has no models. */
  hasModels: boolean
  /** Whether the vendor has an API that lists its models. */
  listsModels: boolean
  /** Requests are signed together with the body, which therefore cannot be changed afterwards. */
  signsBody?: true
}

type Details = Partial<Omit<ChannelType, 'value' | 'key' | 'label' | 'color'>>

export const type = (value: number, key: string, label: Text, color: string, details: Details = {}): ChannelType => ({
  ...{ value, key, label, color },
  ...{ kind: 'vendor', fields: [], hasModels: true, listsModels: true },
  ...details,
})

export const same = (name: string): Text => ({ zh: name, en: name })

/** Only the operator knows the address. */
export const ownAddress = (label: Text, placeholder: string): ChannelField => ({
  name: 'base_url',
  label,
  required: true,
  placeholder,
})

export const region: ChannelField = {
  name: 'config.region',
  label: { zh: '区域', en: 'Region' },
  required: true,
  place: true,
  placeholder: 'us-east-1',
}
