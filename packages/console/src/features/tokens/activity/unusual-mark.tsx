import type { KeyActivity } from '@tollgate/contract'
import { formatNumber } from '../../../lib/format/numbers.ts'
import { keyActivityText } from '../../../text/key-activity.ts'
import { useText } from '../../../text/text.ts'
import { Ellipsis } from '../../../ui/display/ellipsis.tsx'
import { Hint } from '../../../ui/feedback/hint.tsx'
import { IconAlertTriangle } from '../../../ui/layout/icons.tsx'
import classes from './activity.module.css'

/** The longest names would push the last column under the actions. */
const NAME_PX = 160

/** The name of a key, marked when its use is unusual, with an explanation. */
export function MarkedName({ name, activity }: { name: string; activity: KeyActivity | undefined }) {
  const text = useText(keyActivityText)
  const unusual = activity?.unusual ?? undefined
  if (unusual === undefined) return <Ellipsis text={name} width={NAME_PX} />
  const { networks, calls, usual } = unusual
  const help = text.unusualHelp(
    networks.join(text.comma),
    formatNumber(calls),
    formatNumber(Math.round(usual * 10) / 10),
  )
  return (
    <span className={classes.name}>
      <Ellipsis text={name} width={NAME_PX} />
      <Hint label={help}>
        <IconAlertTriangle className={classes.mark} size={15} role="img" aria-label={text.unusual} />
      </Hint>
    </span>
  )
}
