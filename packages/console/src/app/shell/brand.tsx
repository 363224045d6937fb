import { Link } from '@tanstack/react-router'
import { useStatus } from '../../api/status.ts'
import { Mark } from '../../ui/mark.tsx'
import classes from './brand.module.css'

/** The mark and the name of the site; an operator's own logo replaces the mark. */
export function Brand({ compact = false }: { compact?: boolean }) {
  const { system_name, logo } = useStatus()
  const own = logo !== '' && logo !== '/logo.png'
  return (
    <Link to="/" className={classes.brand} aria-label={system_name}>
      {own ? <img className={classes.logo} src={logo} alt="" /> : <Mark size={26} />}
      {!compact && <span className={classes.name}>{system_name}</span>}
    </Link>
  )
}
