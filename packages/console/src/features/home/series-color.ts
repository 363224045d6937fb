import type { UsageTable } from './usage-data.ts'

const COLORS = 6

/** The same in the chart and in its legend; the colours themselves are in `usage-panel.module.css`. */
export const seriesColor = ({ series }: UsageTable, key: string) => {
  const index = key === 'rest' ? COLORS - 1 : series.findIndex((each) => each.key === key)
  return `var(--series-${index % COLORS})`
}
