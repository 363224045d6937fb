import { TextInput } from '@mantine/core'
import { OPTIONS, RATIO_MAX, RECORDING_BOUNDS } from '@tollgate/contract'
import { optionsText } from '../../../text/options.ts'
import { useText } from '../../../text/text.ts'
import { MoneyInput } from '../../../ui/inputs/money-input.tsx'
import { NumberField } from '../../../ui/inputs/number-field.tsx'
import { SecretInput } from '../../../ui/inputs/secret-input.tsx'
import { GroupLimitsField } from '../limits/group-limits-field.tsx'
import { AliasesField } from '../models/aliases-field.tsx'
import { FallbacksField } from '../models/fallbacks-field.tsx'
import { RatioField } from '../prices/ratio-field.tsx'
import { ratioRows } from '../prices/ratio-table.ts'
import { ChoiceField } from './choice-field.tsx'
import { DocumentField } from './document-field.tsx'
import { DomainsField } from './domains-field.tsx'
import { LogoField } from './logo-field.tsx'
import { helpOf } from './option-help.ts'
import { OptionToggle } from './option-toggle.tsx'
import { ADDRESS_OF } from './save-options.ts'
import type { PlacedKey } from './sections.ts'
import type { Draft } from './use-draft.ts'

/** Integer options that are quota, and therefore shown with their value. */
const MONEY: readonly PlacedKey[] = [
  'QuotaForNewUser',
  'QuotaForInviter',
  'QuotaForInvitee',
  'QuotaRemindThreshold',
  'ProxyCallPrice',
]

const NUMBERS: Partial<Record<PlacedKey, { min: number; max?: number; step: number }>> = {
  QuotaPerUnit: { min: 0.01, step: 0.01 },
  PreConsumedQuota: { min: 0, step: 100 },
  RetryTimes: { min: 0, max: 10, step: 1 },
  RetrySeconds: { min: 0, max: 3600, step: 5 },
  ReadOnSeconds: { min: 0, max: 60, step: 1 },
  ChannelDisableThreshold: { min: 0, max: 3600, step: 1 },
  LogRetentionDays: { min: 0, max: 36_500, step: 1 },
  RecordingShareMax: { min: 1, max: 100, step: 1 },
  RecordingDaysMax: { min: 1, max: RECORDING_BOUNDS.daysMax, step: 1 },
  RecordingSizeMax: { min: 1, max: RECORDING_BOUNDS.sizeMax, step: 64 },
  SMTPPort: { min: 1, max: 65_535, step: 1 },
  DefaultModelRatio: { min: 0, max: RATIO_MAX, step: 0.1 },
}

/** The input for an option, by its kind. */
export function OptionField({ draft, name }: { draft: Draft; name: PlacedKey }) {
  const text = useText(optionsText)
  const { kind, class: secrecy } = OPTIONS[name]
  const help = helpOf(text.help, name)
  const field = {
    label: text.label[name],
    value: draft.value(name),
    error: draft.error(name),
    onChange: (value: string) => draft.set(name, value),
    ...(help !== undefined && { description: help }),
  }
  if (kind === 'toggle') return <OptionToggle name={name} value={draft.value(name)} />
  if (kind === 'ratios') {
    return <RatioField name={name} {...field} fallback={Number(draft.value('DefaultModelRatio'))} />
  }
  if (kind === 'limits') {
    const groups = ratioRows(draft.value('GroupRatio'))?.map((row) => row.name) ?? []
    return <GroupLimitsField name={name} {...field} groups={groups} />
  }
  if (kind === 'aliases') return <AliasesField name={name} {...field} />
  if (kind === 'fallbacks') return <FallbacksField name={name} {...field} />
  if (kind === 'document') return <DocumentField {...field} plain={name === 'Footer'} />
  if (kind === 'list') return <DomainsField {...field} />
  if (name === 'Theme' || name === 'DefaultLocale') return <ChoiceField name={name} {...field} />
  if (name === 'Logo') return <LogoField {...field} />
  if (secrecy === 'secret') return <SecretField draft={draft} name={name} label={field.label} />
  if (MONEY.includes(name)) {
    return (
      <MoneyInput
        {...field}
        value={Number(field.value)}
        data-path={name}
        onChange={(quota) => draft.set(name, String(quota))}
      />
    )
  }
  if (kind === 'integer' || kind === 'decimal') {
    return (
      <NumberField
        {...field}
        {...(NUMBERS[name] ?? { min: 0, step: 1 })}
        data-path={name}
        decimal={kind === 'decimal'}
        onChange={(value) => draft.set(name, String(value))}
      />
    )
  }
  return (
    <TextInput
      {...field}
      data-path={name}
      inputWrapperOrder={ORDER}
      type={kind === 'link' ? 'url' : 'text'}
      placeholder={kind === 'link' ? 'https://' : ''}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => draft.set(name, event.currentTarget.value)}
    />
  )
}

function SecretField({ draft, name, label }: { draft: Draft; name: PlacedKey; label: string }) {
  const text = useText(optionsText)
  const moved = draft.mustReenter(name) && draft.value(name) === ''
  return (
    <SecretInput
      label={label}
      isSet={draft.isSet(name) && !moved}
      value={draft.value(name)}
      data-path={name}
      error={moved ? text.secretMoved : draft.error(name)}
      {...(ADDRESS_OF[name] !== undefined && { description: text.secretBound })}
      onChange={(event) => draft.set(name, event.currentTarget.value)}
    />
  )
}

const ORDER: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']
