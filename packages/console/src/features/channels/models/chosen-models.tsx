import { memo, useMemo } from 'react'
import { channelsText } from '../../../text/channels.ts'
import { useText } from '../../../text/text.ts'
import { IconX } from '../../../ui/layout/icons.tsx'
import { AnchorLink } from '../../../ui/layout/links.tsx'
import classes from './chosen-models.module.css'
import { ModelChips } from './model-chips.tsx'

interface ChosenModelsProps {
  models: readonly string[]
  /** Those without a price; undefined until known. */
  unpriced: readonly string[] | undefined
  onRemove: (model: string) => void
}

/** The models of a channel, removable one by one, and the price of those without one. */
export const ChosenModels = memo(function ChosenModels({ models, unpriced = [], onRemove }: ChosenModelsProps) {
  const text = useText(channelsText)
  const action = useMemo(
    () => ({ label: text.modelRemove, icon: <IconX size={12} aria-hidden />, run: onRemove }),
    [text, onRemove],
  )
  if (models.length === 0) return <p className={classes.none}>{text.modelsNone}</p>
  return (
    <>
      <div className={classes.box}>
        <ModelChips label={text.modelsChosen} models={models} action={action} unpriced={unpriced} />
      </div>
      {unpriced.length > 0 && (
        <p className={classes.unpriced}>
          {text.unpricedCount(unpriced.length)}
          {text.unpricedHelp}{' '}
          <AnchorLink to="/setting" search={{ tab: 'operation', model: unpriced[0] }} hash="ratios" inherit>
            {text.unpricedSet}
          </AnchorLink>
        </p>
      )}
    </>
  )
})
