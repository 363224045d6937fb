import { UnstyledButton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useSessionUser } from '../../lib/session/session-user.ts'
import { appText } from '../../text/app.ts'
import { useText } from '../../text/text.ts'
import { IconMenu2 } from '../../ui/layout/icons.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { Brand } from './brand.tsx'
import classes from './header.module.css'
import { LocaleSwitch, SchemeSwitch } from './header-switches.tsx'
import { MenuList } from './menu-list.tsx'

const SearchButton = lazy(() => import('./search-button.tsx').then((file) => ({ default: file.SearchButton })))
const UserMenu = lazy(() => import('./user-menu.tsx').then((file) => ({ default: file.UserMenu })))

/** The header has the page title on every page; visitors' pages show their own, so theirs is for screen readers only. */
export function Header({ title, onMenu }: { title: string; onMenu: () => void }) {
  const text = useText(appText)
  const user = useSessionUser()
  return (
    <header className={classes.header}>
      <UnstyledButton className={classes.burger} aria-label={text.menu.open} onClick={onMenu}>
        <IconMenu2 size={20} aria-hidden />
      </UnstyledButton>
      {!user && <VisitorStart />}
      <h1 className={user ? classes.title : classes.unseen}>{title}</h1>
      <div className={classes.tools}>
        <Suspense>{user && <SearchButton />}</Suspense>
        <LocaleSwitch />
        <SchemeSwitch />
        {user ? (
          <Suspense fallback={<span className={classes.userPlace} />}>
            <UserMenu user={user} />
          </Suspense>
        ) : (
          <ButtonLink to="/login" size="xs" variant="light" className={classes.login}>
            {text.login}
          </ButtonLink>
        )}
      </div>
    </header>
  )
}

function VisitorStart() {
  return (
    <>
      <Brand />
      <div className={classes.visitorMenu}>
        <MenuList layout="row" />
      </div>
    </>
  )
}
