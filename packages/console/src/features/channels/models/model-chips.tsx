import { Button } from '@mantine/core'
import { memo, type ReactNode, useState } from 'react'
import { channelsText } from '../../../text/channels.ts'
import { useText } from '../../../text/text.ts'
import { IconCoinOff } from '../../../ui/layout/icons.tsx'
import classes from './model-chips.module.css'

const SHOWN_AT_FIRST = 40

interface ModelChipsProps {
  label: string
  models: readonly string[]
  /** The button on each name. */
  action: { label: (model: string) => string; icon: ReactNode; run: (model: string) => void }
  /** Names without a price. */
  unpriced?: readonly string[] | undefined
}

/** Model names with a button each. There may be a thousand, so at first only some are shown. */
export const ModelChips = memo(function ModelChips({ label, models, action, unpriced = [] }: ModelChipsProps) {
  const text = useText(channelsText)
  const [all, setAll] = useState(false)
  const shown = all ? models : models.slice(0, SHOWN_AT_FIRST)
  const marked = new Set(unpriced)
  return (
    <>
      <ul className={classes.models} aria-label={label}>
        {shown.map((model) => (
          <li key={model} className={classes.model}>
            {marked.has(model) && (
              <IconCoinOff className={classes.mark} size={13} role="img" aria-label={text.unpricedMark} />
            )}
            <span className={classes.name} title={model}>
              {model}
            </span>
            <button
              type="button"
              className={classes.action}
              aria-label={action.label(model)}
              onClick={() => action.run(model)}
            >
              {action.icon}
            </button>
          </li>
        ))}
      </ul>
      {models.length > SHOWN_AT_FIRST && (
        <Button variant="subtle" size="compact-sm" onClick={() => setAll(!all)}>
          {all ? text.modelsFew : text.modelsAll(models.length)}
        </Button>
      )}
    </>
  )
})
