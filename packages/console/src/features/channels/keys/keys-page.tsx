import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type Channel, type ChannelKey, ChannelKeyStatus } from '@tollgate/contract'
import { useMemo, useState } from 'react'
import { useList } from '../../../api/use-list.ts'
import { useMoney } from '../../../lib/format/money.tsx'
import { formatExact } from '../../../lib/format/numbers.ts'
import { pageIndex, pageParam } from '../../../lib/lists/list-search.ts'
import { useSizedPages } from '../../../lib/lists/use-sized-pages.ts'
import { channelKeysText } from '../../../text/channel-keys.ts'
import { commonText } from '../../../text/common.ts'
import { limitsText } from '../../../text/limits.ts'
import { useText } from '../../../text/text.ts'
import { LoadFailed } from '../../../ui/feedback/load-failed.tsx'
import { FormSkeleton } from '../../../ui/inputs/form-skeleton.tsx'
import { SearchBox } from '../../../ui/inputs/search-box.tsx'
import { IconKey, IconPlus } from '../../../ui/layout/icons.tsx'
import { ButtonLink } from '../../../ui/layout/links.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { EmptyState } from '../../../ui/table/empty-state.tsx'
import { NothingFound } from '../../../ui/table/nothing-found.tsx'
import { useSelectedRows } from '../../../ui/table/row-selection.ts'
import { channelById } from '../queries.ts'
import { AddKeysDialog } from './add-keys-dialog.tsx'
import { KeyActions } from './key-actions.tsx'
import { keyColumns } from './key-columns.tsx'
import { KeyLimitsDialog } from './key-limits-dialog.tsx'
import { KeysBar } from './keys-bar.tsx'
import { OrderSelect } from './order-select.tsx'
import { keyCounts, keyList } from './queries.ts'
import { RemoveSetAside } from './remove-set-aside.tsx'

const route = getRouteApi('/channel/keys/$id')

/** The keys of one channel, with their state and actions. */
export function KeysPage() {
  const common = useText(commonText)
  const id = Number(route.useParams().id)
  const { data: channel, isError, error, refetch } = useQuery(channelById(id))
  if (isError) {
    const back = <ButtonLink to="/channel">{common.backToList}</ButtonLink>
    return <LoadFailed error={error} onRetry={() => void refetch()} back={back} />
  }
  if (channel === undefined) return <FormSkeleton />
  return <KeysOf key={id} channel={channel} />
}

function KeysOf({ channel }: { channel: Channel }) {
  const text = useText(channelKeysText)
  const limits = useText(limitsText)
  const money = useMoney()
  const navigate = route.useNavigate()
  const search = route.useSearch()
  const { status = 0, hint = '' } = search
  const { page, pageSize, table } = useSizedPages(
    pageIndex(search),
    (next) => void navigate({ search: { ...search, page: pageParam(next) } }),
  )
  const list = useList(keyList(channel.id, { status, hint }, pageSize), page, pageSize)
  const counts = useQuery(keyCounts(channel.id)).data
  const rows = useSelectedRows(list.data?.rows.map(({ id }) => id) ?? [])
  const [adding, setAdding] = useState(false)
  const [limited, setLimited] = useState<ChannelKey>()
  const columns = useMemo(() => keyColumns({ text, limits, money }), [text, limits, money])
  const add = (icon: boolean) => (
    <Button leftSection={icon && <IconPlus size={16} />} onClick={() => setAdding(true)}>
      {text.add}
    </Button>
  )
  return (
    <Page
      summary={text.summary(channel.name, formatExact(Math.max(1, channel.key_count)))}
      action={add(true)}
      filters={
        channel.key_count > 0 && (
          <>
            <SearchBox
              label={text.search}
              value={hint}
              // A key may be pasted as a whole: no more of it belongs into a URL.
              onSearch={(word) =>
                void navigate({ search: { ...search, page: undefined, hint: word.slice(-4) || undefined } })
              }
            />
            <NativeSelect
              aria-label={text.status}
              value={String(status)}
              data={[
                { value: '0', label: text.every },
                { value: String(ChannelKeyStatus.enabled), label: text.statuses.enabled },
                { value: String(ChannelKeyStatus.paused), label: text.statuses.paused },
                { value: String(ChannelKeyStatus.setAside), label: text.statuses.setAside },
              ]}
              onChange={({ currentTarget }) =>
                void navigate({
                  search: { ...search, page: undefined, status: Number(currentTarget.value) || undefined },
                })
              }
            />
            <OrderSelect channel={channel} />
            <RemoveSetAside channel={channel.id} count={counts?.set_aside ?? 0} />
            {counts !== undefined && (
              <span>
                {text.counts({
                  enabled: formatExact(counts.enabled),
                  cooling: formatExact(counts.cooling),
                  paused: formatExact(counts.paused),
                  setAside: formatExact(counts.set_aside),
                })}
              </span>
            )}
          </>
        )
      }
    >
      {rows.selected.size > 0 && <KeysBar channel={channel.id} ids={[...rows.selected]} onClear={rows.clear} />}
      <DataTable
        label={text.list}
        list={list}
        columns={columns}
        {...table}
        selection={{ ...rows.boxes, label: ({ key_hint }) => text.select(key_hint), pageLabel: text.selectPage }}
        actions={(key) => <KeyActions channel={channel.id} apiKey={key} onLimits={() => setLimited(key)} />}
        empty={
          status === 0 && hint === '' ? (
            <EmptyState
              icon={<IconKey size={32} stroke={1.5} />}
              title={text.empty}
              help={channel.key_hint === '' ? text.emptyHelp : text.emptyOwn(channel.key_hint)}
              action={add(false)}
            />
          ) : (
            <NothingFound />
          )
        }
      />
      {adding && <AddKeysDialog channel={channel} onClose={() => setAdding(false)} />}
      {limited !== undefined && (
        <KeyLimitsDialog
          channel={channel.id}
          title={text.editOf(limited.key_hint)}
          ids={[limited.id]}
          initial={limited.rate_limits}
          onClose={() => setLimited(undefined)}
        />
      )}
    </Page>
  )
}
