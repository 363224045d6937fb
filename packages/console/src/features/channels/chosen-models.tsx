import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { memo, useState } from 'react'
import { channelsText } from '../../text/channels.ts'
import { useText } from '../../text/text.ts'
import classes from './chosen-models.module.css'

const SHOWN_AT_FIRST = 40

interface ChosenModelsProps {
  models: readonly string[]
  onRemove: (model: string) => void
}

/** Names that can be taken out one by one. There may be a thousand of them, so at first only some are shown. */
export const ChosenModels = memo(function ChosenModels({ models, onRemove }: ChosenModelsProps) {
  const text = useText(channelsText)
  const [all, setAll] = useState(false)
  const shown = all ? models : models.slice(0, SHOWN_AT_FIRST)
  if (models.length === 0) return <p className={classes.none}>{text.modelsNone}</p>
  return (
    <div className={classes.box}>
      <ul className={classes.models} aria-label={text.modelsChosen}>
        {shown.map((model) => (
          <li key={model} className={classes.model}>
            <span className={classes.name} title={model}>
              {model}
            </span>
            <button
              type="button"
              className={classes.remove}
              aria-label={text.modelRemove(model)}
              onClick={() => onRemove(model)}
            >
              <IconX size={12} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      {models.length > SHOWN_AT_FIRST && (
        <Button variant="subtle" size="compact-sm" onClick={() => setAll(!all)}>
          {all ? text.modelsFew : text.modelsAll(models.length)}
        </Button>
      )}
    </div>
  )
})
