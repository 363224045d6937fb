import { Button, Menu } from '@mantine/core'
import type { RefObject } from 'react'
import { downloadBlob } from '../../lib/browser/download.ts'
import { useMoney } from '../../lib/format/money.tsx'
import { type Usage, useRowName } from '../../lib/usage/usage-rows.ts'
import { analyticsText } from '../../text/analytics.ts'
import { useText } from '../../text/text.ts'
import { usageText } from '../../text/usage.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { IconDownload } from '../../ui/layout/icons.tsx'
import { usageCsv } from './usage-csv.ts'
import type { Analytics } from './use-analytics.ts'
import { useBefore } from './use-before.ts'

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
  const rowOf = useBefore(analytics, usage)
  const { first, last } = usage.days
  const fileName = `analytics-${first}-${last}`

  const saveCsv = () => {
    const table = usageCsv({
      rows: usage.rows,
      dimensions: usage.by.map((name) => words.dimension[name]),
      namesOf: (row) => usage.by.map((name) => rowName(row, name)),
      metricName: (metric) => words.metric[metric],
      quotaPerUnit: money.inCurrency ? money.quotaPerUnit : undefined,
      before: rowOf && { metric: analytics.metric, heading: text.before, rowOf },
    })
    downloadBlob(`${fileName}.csv`, new Blob([table], { type: 'text/csv;charset=utf-8' }))
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
        <Menu.Item onClick={saveCsv}>{text.downloadCsv}</Menu.Item>
        <Menu.Item onClick={() => void savePng()}>{text.downloadPng}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
