import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { optionTablesText } from '../../../text/option-tables.ts'
import { useText } from '../../../text/text.ts'
import { IconPlus } from '../../../ui/layout/icons.tsx'
import { unpricedModels } from '../queries.ts'
import classes from './unpriced-models.module.css'

const route = getRouteApi('/setting')
const SHOWN_AT_FIRST = 12

interface UnpricedModelsProps {
  /** Names that the table already has. */
  taken: (name: string) => boolean
  onAdd: (name: string) => void
}

/** Models offered by channels without a price; a click adds one to the table. The one that a link led here for comes first. */
export function UnpricedModels({ taken, onAdd }: UnpricedModelsProps) {
  const text = useText(optionTablesText).ratio
  const { data = [] } = useQuery(unpricedModels)
  const [all, setAll] = useState(false)
  const { model: wanted } = route.useSearch()
  const missing = data.filter((model) => !taken(model))
  const ordered = wanted !== undefined && missing.includes(wanted) ? [...new Set([wanted, ...missing])] : missing
  const shown = all ? ordered : ordered.slice(0, SHOWN_AT_FIRST)
  if (missing.length === 0) return null
  return (
    <section className={classes.box} aria-label={text.unpriced}>
      <Text size="sm">{text.unpricedCount(missing.length)}</Text>
      <ul className={classes.models}>
        {shown.map((model) => (
          <li key={model}>
            <Button
              size="compact-xs"
              variant="default"
              classNames={{ root: classes.model, label: classes.label }}
              leftSection={<IconPlus size={12} aria-hidden />}
              aria-label={text.unpricedAdd(model)}
              title={model}
              onClick={() => onAdd(model)}
            >
              {model}
            </Button>
          </li>
        ))}
      </ul>
      {shown.length < missing.length && (
        <Button className={classes.all} variant="subtle" size="compact-sm" onClick={() => setAll(true)}>
          {text.showAll(missing.length)}
        </Button>
      )}
    </section>
  )
}
