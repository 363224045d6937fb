import { channelType } from '@tollgate/contract'
import { labelsText } from '../text/labels.ts'
import { useLocale, useText } from '../text/text.ts'
import classes from './channel-type-label.module.css'

/** The vendor of a channel, in its colour. */
export function ChannelTypeLabel({ type }: { type: number }) {
  const labels = useText(labelsText)
  const locale = useLocale()
  const known = channelType(type)
  const name = known === undefined ? labels.channel.unknownType : known.label[locale === 'en' ? 'en' : 'zh']
  return (
    <span className={classes.label} data-color={known?.color} title={name}>
      {name}
    </span>
  )
}
