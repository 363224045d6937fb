import { createRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { publicPage } from '../pages.ts'
import { getParentRoute } from './root-route.ts'
import { usageView } from './usage-view.ts'

const home = createRoute({
  getParentRoute,
  path: '/',
  validateSearch: z.object(usageView),
  ...publicPage('home', () => import('../../features/home/home-page.tsx').then((file) => file.HomePage)),
})

const about = createRoute({
  getParentRoute,
  path: '/about',
  ...publicPage('about', () => import('../../features/about/about-page.tsx').then((file) => file.AboutPage)),
})

const chat = createRoute({
  getParentRoute,
  path: '/chat',
  ...publicPage('chat', () => import('../../features/chat/chat-page.tsx').then((file) => file.ChatPage)),
})

export const siteRoutes = [home, about, chat] as const
