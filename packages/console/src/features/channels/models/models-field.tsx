import { Button, Group, Input, MultiSelect, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Channel, channelType, commaList } from '@tollgate/contract'
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { channelsText } from '../../../text/channels.ts'
import { commonText } from '../../../text/common.ts'
import { useText } from '../../../text/text.ts'
import { CopyButton } from '../../../ui/feedback/copy-button.tsx'
import { useUnpriced } from '../list/use-unpriced.ts'
import { allModels, type ModelSource, modelsByType, useFetchModels } from '../queries.ts'
import { ChosenModels } from './chosen-models.tsx'
import { CustomModel } from './custom-model.tsx'
import { FetchedModels } from './fetched-models.tsx'
import { modelsOf, suggestions } from './known-models.ts'
import { ModelOption } from './model-option.tsx'

const OPTIONS_MAX = 100

interface ModelsFieldProps {
  type: number
  /** The channel being edited; undefined for a new one. */
  stored: Channel | undefined
  /** How to fetch the vendor's models; undefined until there is a key for it. */
  source: ModelSource | undefined
  mapping: string
  value: string[]
  onChange: (models: string[]) => void
  error?: ReactNode
  'data-path'?: string
}

/** The models of a channel: searched, filled in from defaults, or typed. */
export function ModelsField({ type, stored, source, mapping, value, onChange, error, ...rest }: ModelsFieldProps) {
  const text = useText(channelsText)
  const common = useText(commonText)
  const client = useQueryClient()
  const byType = useQuery(modelsByType).data
  const related = modelsOf(byType, type)
  const [searched, setSearched] = useState('')
  const listsModels = channelType(type)?.listsModels === true
  const whyNot = listsModels ? (source === undefined ? text.fetchLater : undefined) : text.fetchUnsupported
  const { own, others } = useMemo(() => suggestions(byType, type, value), [byType, type, value])
  const found = searched.trim() === '' ? [] : others

  const add = (models: readonly string[]) => onChange([...new Set([...value, ...models])])
  const fetched = useFetchModels()
  const listed = fetched.data
  const unpriced = useUnpriced({ type, models: value, mapping, stored })
  const fillAll = async () => add(await client.fetchQuery(allModels).catch(() => []))

  // Stable, so that the list of names is not rendered again with every key typed elsewhere in the form.
  const latest = useRef({ value, onChange })
  latest.current = { value, onChange }
  const remove = useCallback((model: string) => {
    const { value: models, onChange: change } = latest.current
    change(models.filter((name) => name !== model))
  }, [])

  return (
    <Input.Wrapper error={error}>
      <MultiSelect
        label={
          <>
            {text.modelsOffered}{' '}
            <Text span c="dimmed" size="sm" fw={400}>
              {text.modelsCount(value.length)}
            </Text>
          </>
        }
        placeholder={text.modelsSearch}
        // Chosen names are listed below, where even a thousand of them leave the form in place.
        value={[]}
        data={[
          { group: text.modelsOfType, items: own },
          { group: text.modelsOfOthers, items: found },
        ].filter(({ items }) => items.length > 0)}
        onChange={add}
        renderOption={({ option }) => (
          <ModelOption model={String(option.value)} unpriced={related.unpriced.includes(String(option.value))} />
        )}
        searchable
        searchValue={searched}
        onSearchChange={setSearched}
        limit={OPTIONS_MAX}
        nothingFoundMessage={searched.trim() === '' ? text.modelsSearchHelp : common.nothingFound}
        error={error !== undefined && error !== null}
        {...rest}
      />
      <Group gap={6} my={8}>
        <Button
          size="compact-sm"
          variant="default"
          disabled={related.priced.length === 0}
          onClick={() => add(related.priced)}
        >
          {text.fillRelated(related.priced.length)}
        </Button>
        {related.unpriced.length > 0 && (
          <Button size="compact-sm" variant="default" onClick={() => add(related.unpriced)}>
            {text.fillUnpriced(related.unpriced.length)}
          </Button>
        )}
        <Button size="compact-sm" variant="default" onClick={() => void fillAll()}>
          {text.fillAll}
        </Button>
        {source !== undefined && listsModels && (
          <Button
            size="compact-sm"
            variant="default"
            loading={fetched.isPending}
            onClick={() => fetched.mutate(source)}
          >
            {text.fetchModels}
          </Button>
        )}
        <Button size="compact-sm" variant="default" disabled={value.length === 0} onClick={() => onChange([])}>
          {text.clearModels}
        </Button>
        {value.length > 0 && <CopyButton value={value.join(',')} label={text.copyModels} />}
      </Group>
      {whyNot !== undefined && (
        <Text size="sm" c="dimmed" mb={8}>
          {whyNot}
        </Text>
      )}
      {listed !== undefined && (
        <FetchedModels
          listed={listed}
          models={value}
          mapping={mapping}
          onChange={onChange}
          onClose={() => fetched.reset()}
        />
      )}
      <ChosenModels models={value} unpriced={unpriced} onRemove={remove} />
      <CustomModel onAdd={(typed) => add(commaList(typed.replaceAll('，', ',')))} />
    </Input.Wrapper>
  )
}
