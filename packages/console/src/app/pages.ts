import { lazyRouteComponent, redirect } from '@tanstack/react-router'
import { createElement, type FunctionComponent } from 'react'
import { sessionUser } from '../lib/session/session-user.ts'
import { LoadingPage } from './loading-page.tsx'
import type { PageTitle } from './page-title.ts'

/** Who may see a page. The server enforces permissions; this decides what is worth showing. */
export type PageAccess = 'public' | 'user' | 'admin'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    title?: PageTitle
    access?: PageAccess
  }
}

/** Pages where a password is entered or shown have no operator content beside it. */
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

/** Needs a signed-in user; anyone else is redirected to /login, which remembers the URL. */
export const privatePage = (title: PageTitle, load: Load) => ({ ...page(title, 'user', load), beforeLoad: requireUser })

/** Like private, and a user who is no administrator sees the no-permission page. */
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
