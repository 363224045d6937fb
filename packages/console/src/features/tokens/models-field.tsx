import { MultiSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { availableModels } from '../../api/available-models.ts'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'
import { tokensText } from '../../text/tokens.ts'

const SHOWN_MAX = 200

interface ModelsFieldProps {
  value: string[]
  onChange: (models: string[]) => void
  error?: ReactNode
  'data-path'?: string
}

/** The models a token may call. One that is no longer offered stays until it is removed. */
export function ModelsField({ value, onChange, ...rest }: ModelsFieldProps) {
  const text = useText(tokensText)
  const common = useText(commonText)
  const models = useQuery(availableModels)
  const offered = [...new Set([...(models.data ?? []), ...value])]
  return (
    <MultiSelect
      label={text.models}
      description={text.modelsHelp}
      placeholder={value.length === 0 ? text.modelsPlaceholder : ''}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={offered}
      value={value}
      onChange={onChange}
      searchable
      clearable
      hidePickedOptions
      limit={SHOWN_MAX}
      nothingFoundMessage={models.isSuccess && offered.length === 0 ? text.modelsEmpty : common.nothingFound}
      {...rest}
    />
  )
}
