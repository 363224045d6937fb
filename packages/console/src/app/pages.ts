import { lazyRouteComponent, redirect } from '@tanstack/react-router'
import { createElement, type FunctionComponent } from 'react'
import { sessionUser } from '../lib/session-user.ts'
import { LoadingPage } from './loading-page.tsx'
import type { PageTitle } from './page-title.ts'

/** Who may see a page. The server decides what they may do; this decides what is worth showing. */
export type PageAccess = 'public' | 'user' | 'admin'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    title?: PageTitle
    access?: PageAccess
  }
}

/** Where a password is typed or shown, nothing of what administrators wrote stands beside it. */
const PASSWORD_PAGES: readonly PageTitle[] = [
  'login',
  'register',
  'reset',
  'resetConfirm',
  'profile',
  'userAdd',
  'userEdit',
]

export const isPasswordPage = (title: PageTitle) => PASSWORD_PAGES.includes(title)

type Load = () => Promise<FunctionComponent>

export const publicPage = (title: PageTitle, load: Load) => page(title, 'public', load)

/** Needs a signed-in user; anyone else goes to /login, which remembers where they wanted to go. */
export const privatePage = (title: PageTitle, load: Load) => ({ ...page(title, 'user', load), beforeLoad: requireUser })

/** As private; a user who is no administrator sees the refusal of the shell. */
export const adminPage = (title: PageTitle, load: Load) => ({ ...page(title, 'admin', load), beforeLoad: requireUser })

function page(title: PageTitle, access: PageAccess, load: Load) {
  return {
    component: lazyRouteComponent(() => load().then((component) => ({ default: component }))),
    pendingComponent: () => createElement(LoadingPage, { title }),
    staticData: { title, access },
  }
}

function requireUser({ location }: { location: { href: string } }) {
  if (sessionUser() === undefined) throw redirect({ to: '/login', search: { from: location.href } })
}
