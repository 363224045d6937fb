import { Outlet, useMatches } from '@tanstack/react-router'
import { isAdmin } from '@tollgate/contract'
import { lazy, Suspense, useEffect, useLayoutEffect, useState } from 'react'
import { useStatus } from '../../api/status.ts'
import { inTab } from '../../lib/browser/storage.ts'
import { useSessionUser } from '../../lib/session/session-user.ts'
import { appText } from '../../text/app.ts'
import { useText } from '../../text/text.ts'
import { NoPermissionPage } from '../no-permission-page.tsx'
import { isPasswordPage } from '../pages.ts'
import { Banners } from './banners.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { IgnoredAddress } from './ignored-address.tsx'
import classes from './shell.module.css'

// Not loaded for visitors.
const DialogHost = lazy(() =>
  import('../../ui/feedback/dialog-host.tsx').then((file) => ({ default: file.DialogHost })),
)
const Sidebar = lazy(() => import('./sidebar.tsx').then((file) => ({ default: file.Sidebar })))
const MenuDrawer = lazy(() => import('./menu-drawer.tsx').then((file) => ({ default: file.MenuDrawer })))

/** The layout around every page: a sidebar for signed-in users, a top bar for visitors. */
export function Shell() {
  const text = useText(appText)
  const user = useSessionUser()
  const { system_name } = useStatus()
  const { title = 'notFound', access } = useMatches().at(-1)?.staticData ?? {}
  const [menuOpened, setMenuOpened] = useState(false)
  const [collapsed, setCollapsed] = useState(() => inTab.read('sidebar') === 'collapsed')
  const secret = isPasswordPage(title)
  const refused = access === 'admin' && user !== undefined && !isAdmin(user.role)

  useEffect(() => {
    document.title = `${text.title[title]} · ${system_name}`
  }, [text, title, system_name])

  // Toasts live outside the router, and outlive a change of page.
  useLayoutEffect(() => {
    document.body.toggleAttribute('data-password-page', secret)
  }, [secret])

  const toggleSidebar = () => {
    inTab.write('sidebar', collapsed ? 'open' : 'collapsed')
    setCollapsed(!collapsed)
  }

  return (
    <div
      className={classes.shell}
      data-visitor={user === undefined || undefined}
      data-collapsed={collapsed || undefined}
    >
      <a className={classes.skip} href="#content">
        {text.skip}
      </a>
      {user && (
        <Suspense fallback={<aside />}>
          <Sidebar collapsed={collapsed} onToggle={toggleSidebar} />
        </Suspense>
      )}
      <div className={classes.column}>
        <Header title={text.title[title]} onMenu={() => setMenuOpened(true)} />
        <Banners />
        <main id="content" className={classes.main} tabIndex={-1}>
          <IgnoredAddress />
          {refused ? <NoPermissionPage /> : <Outlet />}
          {/* Menus, lists and tooltips open in here: at the end of the body they would stand outside every landmark. */}
          <div className={classes.overlays} data-mantine-shared-portal-node />
        </main>
        <Footer plain={secret} />
      </div>
      <Suspense>
        {menuOpened && <MenuDrawer onClose={() => setMenuOpened(false)} />}
        {user && <DialogHost />}
      </Suspense>
    </div>
  )
}
