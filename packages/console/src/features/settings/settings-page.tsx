import { Tabs } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useIsAdmin } from '../../lib/session/session-user.ts'
import { settingsText } from '../../text/settings.ts'
import { useText } from '../../text/text.ts'
import { OptionsSkeleton } from './options/options-skeleton.tsx'
import { PersonalTab } from './personal/personal-tab.tsx'

const OptionsTab = lazy(() => import('./options/options-tab.tsx').then((file) => ({ default: file.OptionsTab })))

const route = getRouteApi('/setting')
const TABS = ['personal', 'operation', 'system', 'other'] as const

/** Personal settings for everybody; the options of the site for administrators. */
export function SettingsPage() {
  const text = useText(settingsText)
  const admin = useIsAdmin()
  const navigate = route.useNavigate()
  const { tab = 'personal' } = route.useSearch()
  if (!admin) return <PersonalTab />
  return (
    <Tabs
      value={tab}
      keepMounted={false}
      onChange={(next) => {
        const chosen = TABS.find((name) => name === next)
        void navigate({ search: { tab: chosen === 'personal' ? undefined : chosen } })
      }}
    >
      <Tabs.List aria-label={text.tabs.label} mb="md">
        {TABS.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {text.tabs[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {TABS.map((name) => (
        <Tabs.Panel key={name} value={name}>
          {name === 'personal' ? (
            <PersonalTab />
          ) : (
            <Suspense fallback={<OptionsSkeleton />}>
              <OptionsTab tab={name} />
            </Suspense>
          )}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
