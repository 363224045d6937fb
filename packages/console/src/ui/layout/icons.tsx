import type { ComponentPropsWithRef } from 'react'

interface IconProps extends Omit<ComponentPropsWithRef<'svg'>, 'stroke'> {
  /** Width and height in pixels. */
  size?: number | string
  /** Line width, in a drawing of 24. */
  stroke?: number
}

/**
 * Icons of Tabler's set, by name. The build replaces the name by its outlines (`scripts/icons.mjs`). One with a label is visible to
 * screen readers, too.
 */
export function icon(...outlines: string[]) {
  return ({ size = 24, stroke = 2, ...rest }: IconProps) => (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...rest}
      {...(rest['aria-label'] !== undefined && { 'aria-hidden': false })}
    >
      {outlines.map((outline) => (
        <path key={outline} d={outline} />
      ))}
    </svg>
  )
}

export const IconAlertTriangle = icon('alert-triangle')
export const IconArrowBigDown = icon('arrow-big-down')
export const IconArrowBigUp = icon('arrow-big-up')
export const IconArrowDown = icon('arrow-down')
export const IconArrowRight = icon('arrow-right')
export const IconArrowUp = icon('arrow-up')
export const IconBan = icon('ban')
export const IconBell = icon('bell')
export const IconHistory = icon('history')
export const IconBook2 = icon('book-2')
export const IconBrandGithub = icon('brand-github')
export const IconBrandWechat = icon('brand-wechat')
export const IconCalendar = icon('calendar')
export const IconChartBar = icon('chart-bar')
export const IconChevronDown = icon('chevron-down')
export const IconCircleCheck = icon('circle-check')
export const IconCircleX = icon('circle-x')
export const IconClockExclamation = icon('clock-exclamation')
export const IconCloudOff = icon('cloud-off')
export const IconCoin = icon('coin')
export const IconCoinOff = icon('coin-off')
export const IconColumns3 = icon('columns-3')
export const IconCopy = icon('copy')
export const IconCreditCard = icon('credit-card')
export const IconDeviceDesktop = icon('device-desktop')
export const IconDots = icon('dots')
export const IconDownload = icon('download')
export const IconExternalLink = icon('external-link')
export const IconEye = icon('eye')
export const IconFeather = icon('feather')
export const IconFileOff = icon('file-off')
export const IconFilter = icon('filter')
export const IconFilterOff = icon('filter-off')
export const IconFrameOff = icon('frame-off')
export const IconGauge = icon('gauge')
export const IconGripVertical = icon('grip-vertical')
export const IconHome = icon('home')
export const IconInfoCircle = icon('info-circle')
export const IconKey = icon('key')
export const IconLayoutSidebarLeftCollapse = icon('layout-sidebar-left-collapse')
export const IconLayoutSidebarLeftExpand = icon('layout-sidebar-left-expand')
export const IconLink = icon('link')
export const IconListSearch = icon('list-search')
export const IconLock = icon('lock')
export const IconLogout = icon('logout')
export const IconMapOff = icon('map-off')
export const IconMenu2 = icon('menu-2')
export const IconMessageCircle = icon('message-circle')
export const IconMinus = icon('minus')
export const IconMoon = icon('moon')
export const IconPencil = icon('pencil')
export const IconPlayerPlay = icon('player-play')
export const IconPlayerSkipForward = icon('player-skip-forward')
export const IconPlayerStop = icon('player-stop')
export const IconPigMoney = icon('pig-money')
export const IconPlugConnected = icon('plug-connected')
export const IconPlugOff = icon('plug-off')
export const IconPlus = icon('plus')
export const IconRefresh = icon('refresh')
export const IconRoute = icon('route')
export const IconSearch = icon('search')
export const IconSearchOff = icon('search-off')
export const IconSelector = icon('selector')
export const IconSend = icon('send')
export const IconSettings = icon('settings')
export const IconSitemap = icon('sitemap')
export const IconSun = icon('sun')
export const IconTicket = icon('ticket')
export const IconTrash = icon('trash')
export const IconUpload = icon('upload')
export const IconUser = icon('user')
export const IconUserPlus = icon('user-plus')
export const IconUserQuestion = icon('user-question')
export const IconUsers = icon('users')
export const IconX = icon('x')
