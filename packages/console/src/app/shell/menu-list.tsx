import { Link, useLocation } from '@tanstack/react-router'
import { useStatus } from '../../api/status.ts'
import { useSessionUser } from '../../lib/session/session-user.ts'
import { appText } from '../../text/app.ts'
import { useText } from '../../text/text.ts'
import { menuFor } from './menu.ts'
import classes from './menu-list.module.css'

interface MenuListProps {
  layout: 'column' | 'icons' | 'row'
  onNavigate?: () => void
}

export function MenuList({ layout, onNavigate }: MenuListProps) {
  const text = useText(appText)
  const user = useSessionUser()
  const { chat_link } = useStatus()
  // The profile page has a URL below /user, but is not part of user management.
  const ownProfile = useLocation({ select: ({ pathname }) => /^\/user\/edit\/?$/.test(pathname) })
  return (
    <nav aria-label={text.menu.label}>
      <ul className={classes.list} data-layout={layout}>
        {menuFor(user, chat_link).map(({ to, name, icon: Icon }) => (
          <li key={to}>
            <Link
              to={to}
              className={classes.entry}
              activeOptions={{ exact: to === '/' || (to === '/user' && ownProfile), includeSearch: false }}
              title={layout === 'icons' ? text.menu[name] : undefined}
              aria-label={layout === 'icons' ? text.menu[name] : undefined}
              onClick={onNavigate}
            >
              {layout !== 'row' && <Icon size={18} stroke={1.75} aria-hidden />}
              {layout !== 'icons' && text.menu[name]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
