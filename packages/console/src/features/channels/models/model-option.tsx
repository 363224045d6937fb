import { channelsText } from '../../../text/channels.ts'
import { useText } from '../../../text/text.ts'
import { IconCoinOff } from '../../../ui/layout/icons.tsx'
import classes from './model-chips.module.css'

/** A model in a select, marked when it has no price. */
export function ModelOption({ model, unpriced }: { model: string; unpriced: boolean }) {
  const text = useText(channelsText)
  return (
    <>
      <span className={classes.option}>{model}</span>
      {unpriced && <IconCoinOff className={classes.mark} size={13} role="img" aria-label={text.unpricedMark} />}
    </>
  )
}
