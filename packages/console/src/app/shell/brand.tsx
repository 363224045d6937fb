import { Link } from '@tanstack/react-router'
import { useStatus } from '../../api/status.ts'
import { Logo } from '../../ui/layout/logo.tsx'
import classes from './brand.module.css'

/** The logo and the name of the site. */
export function Brand({ compact = false }: { compact?: boolean }) {
  const { system_name, logo } = useStatus()
  return (
    <Link to="/" className={classes.brand} aria-label={system_name}>
      <Logo src={logo} size={26} />
      {!compact && <span className={classes.name}>{system_name}</span>}
    </Link>
  )
}
