import { Button, type ButtonProps, SegmentedControl, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { AlertDestination, AlertRule } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'
import { pageIndex, pageParam } from '../../lib/lists/list-search.ts'
import { useIsAdmin } from '../../lib/session/session-user.ts'
import { alertsText } from '../../text/alerts.ts'
import { useText } from '../../text/text.ts'
import { IconPlus } from '../../ui/layout/icons.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { DeliveriesTab } from './deliveries-tab.tsx'
import { DestinationsTab } from './destinations-tab.tsx'
import { alertDestinations } from './queries.ts'
import { RulesTab } from './rules-tab.tsx'

const RuleDialog = lazy(() => import('./rule-dialog.tsx').then((file) => ({ default: file.RuleDialog })))
const DestinationDialog = lazy(() =>
  import('./destination-dialog.tsx').then((file) => ({ default: file.DestinationDialog })),
)

const route = getRouteApi('/alert')
const TABS = ['rules', 'destinations', 'deliveries'] as const

/** The open form: for a new or an existing rule or destination. */
type Open = { rule: AlertRule | undefined } | { destination: AlertDestination | undefined }

/** The gateway's alerts for administrators; for every user those about their own balance, keys and budgets. */
export function AlertsPage() {
  const text = useText(alertsText)
  const admin = useIsAdmin()
  const navigate = route.useNavigate()
  const search = route.useSearch()
  const tab = TABS.find((name) => name === search.tab) ?? 'rules'
  const owner = admin && search.owner !== 'own' ? 'gateway' : 'own'
  const { data: destinations = [] } = useQuery(alertDestinations(owner))
  const [open, setOpen] = useState<Open>()
  const page = pageIndex(search)
  const onPage = (next: number) => void navigate({ search: (before) => ({ ...before, page: pageParam(next) }) })
  const close = () => setOpen(undefined)
  const addsRule = tab === 'rules' && destinations.length > 0

  const add = (look: ButtonProps) => (
    <Button {...look} onClick={() => setOpen(addsRule ? { rule: undefined } : { destination: undefined })}>
      {addsRule ? text.addRule : text.addDestination}
    </Button>
  )

  return (
    <Page
      summary={owner === 'gateway' ? text.gatewayHelp : text.ownHelp}
      action={tab !== 'deliveries' && add({ leftSection: <IconPlus size={16} /> })}
      filters={
        admin && (
          <SegmentedControl
            aria-label={text.owner}
            value={owner}
            data={[
              { value: 'gateway', label: text.owners.gateway },
              { value: 'own', label: text.owners.own },
            ]}
            onChange={(value) =>
              void navigate({ search: { tab: search.tab, owner: value === 'own' ? 'own' : undefined } })
            }
          />
        )
      }
    >
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(next) => {
          const chosen = TABS.find((name) => name === next)
          void navigate({ search: { owner: search.owner, tab: chosen === 'rules' ? undefined : chosen } })
        }}
      >
        <Tabs.List aria-label={text.tabs.label} mb="md">
          {TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {text.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="rules">
          <RulesTab
            {...{ owner, page, onPage }}
            onEdit={(rule) => setOpen({ rule })}
            add={add({ variant: 'default' })}
          />
        </Tabs.Panel>
        <Tabs.Panel value="destinations">
          <DestinationsTab
            {...{ owner, page, onPage }}
            onEdit={(destination) => setOpen({ destination })}
            add={add({ variant: 'default' })}
          />
        </Tabs.Panel>
        <Tabs.Panel value="deliveries">
          <DeliveriesTab {...{ owner, page, onPage }} />
        </Tabs.Panel>
      </Tabs>
      <Suspense>
        {open !== undefined && 'rule' in open && (
          <RuleDialog {...{ owner, destinations }} rule={open.rule} onClose={close} />
        )}
        {open !== undefined && 'destination' in open && (
          <DestinationDialog {...{ owner }} destination={open.destination} onClose={close} />
        )}
      </Suspense>
    </Page>
  )
}
