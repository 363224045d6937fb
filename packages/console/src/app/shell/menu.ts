import { isAdmin } from '@tollgate/contract'
import type { StoredUser } from '../../lib/session/session-user.ts'
import type { zh } from '../../text/zh/app.ts'
import {
  IconBell,
  IconBook2,
  IconChartBar,
  IconCoin,
  IconCreditCard,
  IconHistory,
  IconHome,
  IconInfoCircle,
  IconKey,
  IconMessageCircle,
  IconPigMoney,
  IconPlugConnected,
  IconRoute,
  IconSettings,
  IconSitemap,
  IconTicket,
  IconUsers,
} from '../../ui/layout/icons.tsx'

/** Who sees an entry; the chat entry also needs a configured link. */
type Audience = 'everyone' | 'user' | 'admin' | 'chat'

const entry = <const To extends string>(
  to: To,
  name: Exclude<keyof typeof zh.menu, 'label' | 'open' | 'close'>,
  icon: typeof IconHome,
  audience: Audience,
) => ({ to, name, icon, audience })

const ENTRIES = [
  entry('/', 'home', IconHome, 'everyone'),
  entry('/chat', 'chat', IconMessageCircle, 'chat'),
  entry('/channel', 'channel', IconRoute, 'admin'),
  entry('/route', 'route', IconSitemap, 'admin'),
  entry('/token', 'token', IconKey, 'user'),
  entry('/connect', 'connect', IconPlugConnected, 'user'),
  entry('/model', 'model', IconCoin, 'user'),
  entry('/redemption', 'redemption', IconTicket, 'admin'),
  entry('/topup', 'topup', IconCreditCard, 'user'),
  entry('/budget', 'budget', IconPigMoney, 'user'),
  entry('/user', 'user', IconUsers, 'admin'),
  entry('/log', 'log', IconBook2, 'user'),
  entry('/analytics', 'analytics', IconChartBar, 'user'),
  entry('/alert', 'alert', IconBell, 'admin'),
  entry('/audit', 'audit', IconHistory, 'admin'),
  entry('/setting', 'setting', IconSettings, 'user'),
  entry('/about', 'about', IconInfoCircle, 'everyone'),
]

export const menuFor = (user: StoredUser | undefined, chatLink: string) =>
  ENTRIES.filter(({ audience }) => {
    if (audience === 'everyone') return true
    if (audience === 'chat') return chatLink !== ''
    return user !== undefined && (audience === 'user' || isAdmin(user.role))
  })
