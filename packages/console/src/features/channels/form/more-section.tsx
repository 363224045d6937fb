import { Select, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { channelsText } from '../../../text/channels.ts'
import { commonText } from '../../../text/common.ts'
import { useText } from '../../../text/text.ts'
import { FormMore } from '../../../ui/inputs/form-more.tsx'
import { NumberField } from '../../../ui/inputs/number-field.tsx'
import { type ChannelValues, hostsClaude } from './channel-values.ts'
import { RetriesNote } from './retries-note.tsx'

type MoreValues = Pick<
  ChannelValues,
  'type' | 'models' | 'priority' | 'weight' | 'system_prompt' | 'test_model' | 'prompt_caching'
>

interface MoreSectionProps {
  values: MoreValues
  opened: boolean
  onChange: (values: Partial<MoreValues>) => void
  children: ReactNode
}

/** Settings that most channels leave at their defaults. */
export function MoreSection({ values, opened, onChange, children }: MoreSectionProps) {
  const text = useText(channelsText)
  const common = useText(commonText)
  const [seen, setSeen] = useState(opened)
  const { type, models, priority, weight, system_prompt, test_model, prompt_caching } = values
  return (
    <FormMore title={common.showMore} opened={opened} onOpen={() => setSeen(true)}>
      <NumberField
        label={text.priority}
        description={text.priorityHelp}
        min={-NUMBER_MAX}
        max={NUMBER_MAX}
        value={priority}
        data-path="priority"
        onChange={(value) => onChange({ priority: value })}
      />
      <NumberField
        label={text.weight}
        description={text.weightHelp}
        min={0}
        max={NUMBER_MAX}
        value={weight}
        data-path="weight"
        onChange={(value) => onChange({ weight: value })}
      />
      {seen && <RetriesNote />}
      <Select
        label={text.testModel}
        description={text.testModelHelp}
        inputWrapperOrder={ORDER}
        placeholder={text.automatic}
        data={[...new Set([...models, ...(test_model === '' ? [] : [test_model])])]}
        value={test_model === '' ? null : test_model}
        onChange={(model) => onChange({ test_model: model ?? '' })}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': text.automatic }}
        limit={100}
        nothingFoundMessage={common.nothingFound}
      />
      {hostsClaude(type) && (
        <Select
          label={text.promptCaching}
          description={text.promptCachingHelp}
          inputWrapperOrder={ORDER}
          data={[
            { value: AUTOMATIC, label: text.promptCachingKinds.automatic },
            { value: 'always', label: text.promptCachingKinds.always },
            { value: 'never', label: text.promptCachingKinds.never },
          ]}
          value={prompt_caching === '' ? AUTOMATIC : prompt_caching}
          onChange={(chosen) => onChange({ prompt_caching: cachingOf(chosen) })}
          allowDeselect={false}
        />
      )}
      <Textarea
        label={text.systemPrompt}
        description={text.systemPromptHelp}
        inputWrapperOrder={ORDER}
        autosize
        minRows={2}
        maxRows={10}
        value={system_prompt}
        onChange={(event) => onChange({ system_prompt: event.currentTarget.value })}
      />
      {children}
    </FormMore>
  )
}

/** A select cannot have the empty value that the channel stores. */
const AUTOMATIC = 'automatic'

const cachingOf = (chosen: string | null) => (chosen === 'always' || chosen === 'never' ? chosen : '')

/** The server's limit for both. */
const NUMBER_MAX = 1_000_000_000

const ORDER = ['label', 'input', 'description', 'error'] as const satisfies string[]
