import { Button, Menu } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { analyticsTopMax } from '@tollgate/contract'
import type { RefObject } from 'react'
import { usageOf } from '../../api/usage.ts'
import { downloadBlob } from '../../lib/browser/download.ts'
import { useMoney } from '../../lib/format/money.tsx'
import { type Usage, useRowName } from '../../lib/usage/usage-rows.ts'
import { analyticsText } from '../../text/analytics.ts'
import { useText } from '../../text/text.ts'
import { usageText } from '../../text/usage.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { IconDownload } from '../../ui/layout/icons.tsx'
import { rowsBefore } from './compare.ts'
import { usageCsv } from './usage-csv.ts'
import type { Analytics } from './use-analytics.ts'

interface DownloadMenuProps {
  analytics: Analytics
  usage: Usage
  title: string
  chart: RefObject<HTMLDivElement | null>
}

/** Downloads what is shown: the numbers for a spreadsheet, the chart for a report. Both are made in the browser. */
export function DownloadMenu({ analytics, usage, title, chart }: DownloadMenuProps) {
  const text = useText(analyticsText)
  const words = useText(usageText)
  const money = useMoney()
  const rowName = useRowName(usage)
  const client = useQueryClient()
  const { first, last } = usage.days
  const fileName = `analytics-${first}-${last}`

  /** The screen has the largest by name; a file has as many as there can be. A failure is reported like that of any query. */
  const saveCsv = async () => {
    // The period before may touch one step more.
    const top = analyticsTopMax(usage.by, usage.times.length + 1)
    const query = { ...analytics.query, top }
    const all = usage.rows.some(({ other }) => other) ? await client.fetchQuery(usageOf(query)) : usage
    const { start, end } = all.previous
    const before = analytics.compares && (await client.fetchQuery(usageOf({ ...query, span: { start, end } })))
    const table = usageCsv({
      rows: all.rows,
      dimensions: usage.by.map((name) => words.dimension[name]),
      namesOf: (row) => usage.by.map((name) => rowName(row, name)),
      metricName: (metric) => words.metric[metric],
      quotaPerUnit: money.inCurrency ? money.quotaPerUnit : undefined,
      ...(before && { before: { metric: analytics.metric, heading: text.before, rowOf: rowsBefore(all, before) } }),
    })
    downloadBlob(`${fileName}.csv`, new Blob([table], { type: 'text/csv;charset=utf-8' }))
    if (all.rows.some(({ other }) => other)) toast.warning(text.othersInFile(top))
  }

  const savePng = async () => {
    // Outside the page nothing else says which days it shows.
    const dated = `${title} · ${first === last ? first : `${first} – ${last}`} · ${usage.zone}`
    const { chartPng } = await import('../../ui/charts/chart-png.ts')
    const picture = chart.current === null ? undefined : await chartPng(chart.current, dated)
    if (picture === undefined) return toast.info(text.notDrawn)
    downloadBlob(`${fileName}.png`, picture)
  }

  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={<IconDownload size={14} />}>
          {text.download}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void saveCsv().catch(() => undefined)}>{text.downloadCsv}</Menu.Item>
        <Menu.Item onClick={() => void savePng()}>{text.downloadPng}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
