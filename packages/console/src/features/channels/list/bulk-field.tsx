import { TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { groupNames } from '../../../api/group-names.ts'
import { channelListText } from '../../../text/channel-list.ts'
import { useText } from '../../../text/text.ts'
import { NumberField } from '../../../ui/inputs/number-field.tsx'
import { MappingField } from '../form/mapping-field.tsx'
import { ProxyFields } from '../form/proxy-fields.tsx'
import { TagField } from '../form/tag-field.tsx'
import { allModels, offeredModels } from '../queries.ts'
import type { BulkAction, BulkValues } from './bulk-values.ts'

interface BulkFieldProps {
  action: BulkAction
  values: BulkValues
  /** Empty when the value is valid. */
  error: string
  onChange: (values: Partial<BulkValues>) => void
}

/** The input of an action. */
export function BulkField({ action, values, error, onChange }: BulkFieldProps) {
  const text = useText(channelListText)
  const isModels = action === 'add_models' || action === 'remove_models' || action === 'remove_mapping'
  const isGroups = action === 'group' || action === 'add_group' || action === 'remove_group'
  const groups = useQuery({ ...groupNames, enabled: isGroups })
  // What is removed is offered by a channel; what is added may be new to all of them.
  const known = useQuery({ ...allModels, enabled: action === 'add_models' })
  const offered = useQuery({ ...offeredModels, enabled: isModels })
  const models = [...new Set([...(offered.data ?? []), ...(known.data ?? [])])]
  if (action === 'tag') return <TagField value={values.tag} onChange={(tag) => onChange({ tag })} />
  if (action === 'add_mapping') {
    return (
      <MappingField
        value={values.model_mapping}
        error={error}
        onChange={(model_mapping) => onChange({ model_mapping })}
      />
    )
  }
  if (action === 'proxy') return <ProxyFields values={values} error={error} kept={NONE_KEPT} onChange={onChange} />
  if (isGroups || isModels) {
    return (
      <TagsInput
        label={isGroups ? text.choices.group : text.model}
        description={text.listHelp}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={isGroups ? (groups.data ?? []) : models}
        limit={50}
        value={values.list}
        onChange={(list) => onChange({ list })}
        splitChars={[',', '，']}
        data-autofocus
      />
    )
  }
  return (
    <NumberField
      label={action === 'weight' ? text.choices.weight : text.choices.priority}
      min={action === 'weight' ? 0 : -NUMBER_MAX}
      max={NUMBER_MAX}
      value={values.number}
      onChange={(number) => onChange({ number })}
    />
  )
}

const NONE_KEPT: readonly string[] = []

/** The server's limit for both. */
const NUMBER_MAX = 1_000_000_000
