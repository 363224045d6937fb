import { Select } from '@mantine/core'
import { commonText } from '../../text/common.ts'
import { connectText } from '../../text/connect.ts'
import { useText } from '../../text/text.ts'

const SHOWN_MAX = 200

interface ModelSelectProps {
  /** Only what the key may use. */
  models: readonly string[]
  model: string | undefined
  onChoose: (model: string) => void
}

export function ModelSelect({ models, model, onChoose }: ModelSelectProps) {
  const text = useText(connectText)
  const common = useText(commonText)
  return (
    <Select
      label={text.model}
      description={text.modelHelp(models.length)}
      inputWrapperOrder={['label', 'input', 'description']}
      data={models}
      value={model ?? null}
      onChange={(value) => value !== null && onChoose(value)}
      disabled={models.length === 0}
      allowDeselect={false}
      searchable
      limit={SHOWN_MAX}
      nothingFoundMessage={common.nothingFound}
    />
  )
}
