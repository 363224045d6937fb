import { NativeSelect, Text } from '@mantine/core'
import { type AlertDelivery, AlertDeliveryState, type AlertOwner } from '@tollgate/contract'
import { useState } from 'react'
import { useList } from '../../api/use-list.ts'
import type { Tone } from '../../lib/format/labels.ts'
import { formatTimestamp } from '../../lib/format/time.ts'
import { readersZoneName } from '../../lib/format/zone.ts'
import { alertsText } from '../../text/alerts.ts'
import { useText } from '../../text/text.ts'
import type { Words } from '../../text/words.ts'
import type { zh } from '../../text/zh/alerts.ts'
import { Ellipsis } from '../../ui/display/ellipsis.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { TimeText } from '../../ui/display/time-text.tsx'
import { IconBell } from '../../ui/layout/icons.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { Column } from '../../ui/table/data-table-props.ts'
import { EmptyState } from '../../ui/table/empty-state.tsx'
import { NothingFound } from '../../ui/table/nothing-found.tsx'
import { alertDeliveries } from './queries.ts'

interface DeliveriesTabProps {
  owner: AlertOwner
  page: number
  onPage: (page: number) => void
}

/** Sent messages, their recipients and results. */
export function DeliveriesTab({ owner, page, onPage }: DeliveriesTabProps) {
  const text = useText(alertsText)
  const [state, setState] = useState<AlertDeliveryState | ''>('')
  const list = useList(alertDeliveries(owner, state), page)
  return (
    <Page
      summary={text.zoneNote(readersZoneName())}
      filters={
        <NativeSelect
          aria-label={text.state}
          value={state}
          data={[
            { value: '', label: text.everyState },
            ...AlertDeliveryState.options.map((value) => ({ value, label: text.states[value] })),
          ]}
          onChange={({ currentTarget }) => {
            setState(AlertDeliveryState.safeParse(currentTarget.value).data ?? '')
            onPage(0)
          }}
        />
      }
    >
      <DataTable
        label={text.deliveries}
        list={list}
        columns={columnsOf(text)}
        page={page}
        onPage={onPage}
        empty={
          state === '' ? (
            <EmptyState
              icon={<IconBell size={32} stroke={1.5} />}
              title={text.noDeliveries}
              help={text.noDeliveriesHelp}
            />
          ) : (
            <NothingFound />
          )
        }
      />
    </Page>
  )
}

const TONES: Record<AlertDeliveryState, Tone> = { pending: 'warn', sent: 'good', failed: 'bad' }

const columnsOf = (text: Words<typeof zh>): Column<AlertDelivery>[] => [
  { key: 'created', title: text.created, render: ({ created_time }) => <TimeText seconds={created_time} /> },
  { key: 'title', title: text.message, card: 'heading', render: ({ title }) => <Ellipsis text={title} /> },
  {
    key: 'kind',
    title: text.kind,
    wide: true,
    render: ({ kind }) => (kind === '' ? text.testMessage : text.kinds[kind]),
  },
  {
    key: 'destination',
    title: text.destinations,
    render: ({ destination_name, way }) => <Ellipsis text={`${destination_name} (${text.ways[way]})`} />,
  },
  { key: 'attempts', title: text.attempts, align: 'right', wide: true, render: ({ attempts }) => attempts },
  {
    key: 'result',
    title: text.result,
    render: ({ state, error, next_at }) => (
      <>
        <StatusBadge tone={TONES[state]} text={text.states[state]} />
        {error !== '' && (
          <Text size="xs" c="dimmed">
            <Ellipsis text={error} />
          </Text>
        )}
        {state === 'pending' && next_at > 0 && (
          <Text size="xs" c="dimmed">
            {text.nextAt(formatTimestamp(next_at))}
          </Text>
        )}
      </>
    ),
  },
]
