import { TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { channelListText } from '../../../text/channel-list.ts'
import { useText } from '../../../text/text.ts'
import { NumberField } from '../../../ui/inputs/number-field.tsx'
import { TagField } from '../form/tag-field.tsx'
import { allModels, groupNames } from '../queries.ts'
import type { BulkAction, BulkValues } from './bulk-values.ts'

interface BulkFieldProps {
  action: BulkAction
  values: BulkValues
  onChange: (values: Partial<BulkValues>) => void
}

/** What an action needs to be told. */
export function BulkField({ action, values, onChange }: BulkFieldProps) {
  const text = useText(channelListText)
  const isModels = action === 'add_models' || action === 'remove_models'
  const isGroups = action === 'group' || action === 'add_group' || action === 'remove_group'
  const groups = useQuery({ ...groupNames, enabled: isGroups })
  const models = useQuery({ ...allModels, enabled: isModels })
  if (action === 'tag') return <TagField value={values.tag} onChange={(tag) => onChange({ tag })} />
  if (isGroups || isModels) {
    return (
      <TagsInput
        label={isGroups ? text.choices.group : text.model}
        description={text.listHelp}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={(isGroups ? groups.data : models.data) ?? []}
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

/** As the server bounds both. */
const NUMBER_MAX = 1_000_000_000
