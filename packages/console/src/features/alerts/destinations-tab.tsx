import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AlertDestination, AlertOwner } from '@tollgate/contract'
import type { ReactNode } from 'react'
import { alertsText } from '../../text/alerts.ts'
import { useText } from '../../text/text.ts'
import type { Words } from '../../text/words.ts'
import type { zh } from '../../text/zh/alerts.ts'
import { Ellipsis } from '../../ui/display/ellipsis.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { confirm } from '../../ui/feedback/dialogs.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { RemoveItem } from '../../ui/inputs/remove-item.tsx'
import { IconButton } from '../../ui/layout/icon-button.tsx'
import { IconBell, IconPencil, IconSend } from '../../ui/layout/icons.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { Column } from '../../ui/table/data-table-props.ts'
import { EmptyState } from '../../ui/table/empty-state.tsx'
import { RowActions } from '../../ui/table/row-actions.tsx'
import { onePage } from './one-page.ts'
import { alertDestinations, useRemoveDestination, useTestDestination } from './queries.ts'

interface DestinationsTabProps {
  owner: AlertOwner
  page: number
  onPage: (page: number) => void
  onEdit: (destination: AlertDestination) => void
  /** The button that adds one. */
  add: ReactNode
}

export function DestinationsTab({ owner, page, onPage, onEdit, add }: DestinationsTabProps) {
  const text = useText(alertsText)
  const destinations = useQuery(alertDestinations(owner))
  const remove = useRemoveDestination()
  const test = useTestDestination()

  const askAndRemove = async ({ id, name }: AlertDestination) => {
    const title = text.removeDestinationAsk(name)
    const question = { title, help: text.removeDestinationHelp, confirmLabel: text.removeDestination, danger: true }
    if (await confirm(question)) remove.mutate(id, { onSuccess: () => toast.success(text.destinationRemoved) })
  }
  const sendTest = (id: number) =>
    test.mutate(id, {
      onSuccess: ({ sent, error }) => (sent ? toast.success(text.testSent) : toast.warning(text.testFailed(error))),
    })

  return (
    <DataTable
      label={text.destinations}
      list={onePage(destinations, page)}
      columns={columnsOf(text)}
      page={page}
      onPage={onPage}
      actions={(destination) => (
        <RowActions
          label={text.moreOf(destination.name)}
          menu={<RemoveItem onClick={() => void askAndRemove(destination)}>{text.removeDestination}</RemoveItem>}
        >
          <IconButton
            label={text.test(destination.name)}
            loading={test.isPending && test.variables === destination.id}
            onClick={() => sendTest(destination.id)}
          >
            <IconSend size={16} />
          </IconButton>
          <IconButton label={text.editDestinationOf(destination.name)} onClick={() => onEdit(destination)}>
            <IconPencil size={16} />
          </IconButton>
        </RowActions>
      )}
      empty={
        <EmptyState
          icon={<IconBell size={32} stroke={1.5} />}
          title={text.noDestinations}
          help={text.noDestinationsHelp}
          action={add}
        />
      }
    />
  )
}

const columnsOf = (text: Words<typeof zh>): Column<AlertDestination>[] => [
  { key: 'name', title: text.name, card: 'heading', render: ({ name }) => <Ellipsis text={name} /> },
  { key: 'way', title: text.way, render: ({ way }) => text.ways[way] },
  {
    key: 'address',
    title: text.address,
    render: ({ address_hint, owner, way, private_allowed }) => (
      <Group component="span" gap={8}>
        <Ellipsis text={way === 'email' && owner === 'own' ? text.ownMail : address_hint} />
        {private_allowed && <StatusBadge tone="warn" text={text.privateBadge} />}
      </Group>
    ),
  },
  {
    key: 'language',
    title: text.language,
    wide: true,
    render: ({ language, zone }) => `${text.languages[language]} · ${zone}`,
  },
]
