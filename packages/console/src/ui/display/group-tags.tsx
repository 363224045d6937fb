import { commaList, Defaults } from '@tollgate/contract'
import classes from './group-tags.module.css'

const COLORS: Readonly<Record<string, string>> = { vip: 'yellow', pro: 'yellow', svip: 'red', premium: 'red' }

/** The groups of a comma list, in order; an empty list means the default group. */
export function GroupTags({ group }: { group: string }) {
  const names = commaList(group)
  return (
    <span className={classes.tags}>
      {(names.length === 0 ? [Defaults.group] : names).map((name) => (
        <span key={name} className={classes.tag} data-color={COLORS[name]} title={name}>
          {name}
        </span>
      ))}
    </span>
  )
}
