import { channelsText } from '../../../text/channels.ts'
import { useText } from '../../../text/text.ts'
import { Hint } from '../../../ui/feedback/hint.tsx'
import { IconCoinOff } from '../../../ui/layout/icons.tsx'
import classes from './unpriced-mark.module.css'

const NAMED_MAX = 5

/** Marks a channel with models without a price, with their names and the consequence. */
export function UnpricedMark({ models }: { models: readonly string[] }) {
  const text = useText(channelsText)
  const named = models.slice(0, NAMED_MAX).join(text.comma)
  const names = models.length > NAMED_MAX ? text.andMore(named, models.length) : named
  return (
    <Hint label={`${text.unpricedCount(models.length)}${text.unpricedHelp} ${names}`}>
      <IconCoinOff className={classes.mark} size={15} role="img" aria-label={text.unpricedCount(models.length)} />
    </Hint>
  )
}
