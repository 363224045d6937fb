import { channelType } from '@tollgate/contract'
import { useContractText } from '../../text/contract-text.ts'
import { labelsText } from '../../text/labels.ts'
import { useText } from '../../text/text.ts'
import classes from './channel-type-label.module.css'

/** The vendor of a channel, in its colour. */
export function ChannelTypeLabel({ type }: { type: number }) {
  const labels = useText(labelsText)
  const inLanguage = useContractText()
  const known = channelType(type)
  const name = known === undefined ? labels.channel.unknownType : inLanguage(known.label)
  return (
    <span className={classes.label} data-color={known?.color} title={name}>
      {name}
    </span>
  )
}

/** The colour alone, if the name is shown beside it. */
export function ChannelTypeSwatch({ type }: { type: number }) {
  return <span className={classes.label} data-color={channelType(type)?.color} data-alone aria-hidden />
}
