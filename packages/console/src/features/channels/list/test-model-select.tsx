import { Select } from '@mantine/core'
import { type Channel, commaList } from '@tollgate/contract'
import { channelsText } from '../../../text/channels.ts'
import { commonText } from '../../../text/common.ts'
import { useText } from '../../../text/text.ts'
import classes from './test-model-select.module.css'

const SHOWN_MAX = 100

interface TestModelSelectProps {
  channel: Channel
  onChange: (model: string) => void
}

/** The model used to test this channel; without one the server chooses. */
export function TestModelSelect({ channel, onChange }: TestModelSelectProps) {
  const text = useText(channelsText)
  const common = useText(commonText)
  const { name, models, test_model } = channel
  const offered = [...new Set([...commaList(models), ...commaList(test_model)])]
  return (
    <Select
      size="xs"
      classNames={{ root: classes.root, input: classes.input }}
      aria-label={text.testModelOf(name)}
      placeholder={text.automatic}
      data={offered}
      value={test_model === '' ? null : test_model}
      onChange={(model) => onChange(model ?? '')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': text.automatic }}
      limit={SHOWN_MAX}
      nothingFoundMessage={common.nothingFound}
      comboboxProps={{ width: 240, position: 'bottom-end' }}
    />
  )
}
