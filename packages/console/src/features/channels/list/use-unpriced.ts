import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Channel, commaList } from '@tollgate/contract'
import { useMemo } from 'react'
import { mappingRows } from '../form/mapping.ts'
import { unpricedModels } from '../queries.ts'

const PAUSE_MS = 300

interface Form {
  type: number
  models: string[]
  mapping: string
  stored: Channel | undefined
}

/** The models of a form that have no price. While nothing is changed, the channel itself has them. */
export function useUnpriced({ type, models, mapping, stored }: Form): readonly string[] | undefined {
  const asked = useMemo(
    () => ({ type, models, model_mapping: mappingRows(mapping) === undefined ? '' : mapping }),
    [type, models, mapping],
  )
  const [settled] = useDebouncedValue(asked, PAUSE_MS)
  const isStored =
    stored !== undefined &&
    stored.type === type &&
    stored.model_mapping === mapping &&
    commaList(stored.models).join() === models.join()
  const found = useQuery({
    ...unpricedModels(settled),
    enabled: !isStored && settled.models.length > 0,
    placeholderData: keepPreviousData,
  })
  const unpriced = isStored ? stored.unpriced : found.data
  return unpriced?.filter((model) => models.includes(model))
}
