import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { modelListsText } from '../../../text/model-lists.ts'
import { useText } from '../../../text/text.ts'
import { IconCoinOff } from '../../../ui/layout/icons.tsx'
import classes from './review-dialog.module.css'

const SHOWN_AT_FIRST = 30

interface ModelChecksProps {
  title: string
  models: readonly { model: string; upstream?: string; priced?: boolean }[]
  checked: ReadonlySet<string>
  onChange: (checked: ReadonlySet<string>) => void
}

/** Models with a checkbox each, and one for all of them. A reseller lists hundreds, so at first only some are shown. */
export function ModelChecks({ title, models, checked, onChange }: ModelChecksProps) {
  const text = useText(modelListsText)
  const [all, setAll] = useState(false)
  if (models.length === 0) return null
  const shown = all ? models : models.slice(0, SHOWN_AT_FIRST)
  const toggle = (model: string) =>
    onChange(new Set(checked.has(model) ? [...checked].filter((one) => one !== model) : [...checked, model]))
  const every = models.every(({ model }) => checked.has(model))
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>
        <Checkbox
          label={text.groupOf(title, models.length)}
          checked={every}
          indeterminate={checked.size > 0 && !every}
          onChange={() => onChange(every ? new Set() : new Set(models.map(({ model }) => model)))}
        />
      </legend>
      <ul className={classes.models}>
        {shown.map(({ model, upstream = model, priced = true }) => (
          <li key={model}>
            <Checkbox
              size="xs"
              label={
                <>
                  {upstream === model ? model : text.upstream(model, upstream)}
                  {!priced && (
                    <span className={classes.unpriced}>
                      <IconCoinOff size={13} /> {text.unpriced}
                    </span>
                  )}
                </>
              }
              checked={checked.has(model)}
              onChange={() => toggle(model)}
            />
          </li>
        ))}
      </ul>
      {models.length > SHOWN_AT_FIRST && (
        <Button variant="subtle" size="compact-sm" onClick={() => setAll(!all)}>
          {all ? text.few : text.all(models.length)}
        </Button>
      )}
    </fieldset>
  )
}
