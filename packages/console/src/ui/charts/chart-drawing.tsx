import { BarChart, LineChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { useReducedMotion } from '@mantine/hooks'
import { type ChartLook, seriesColor, totalOf } from './chart-data.ts'
import { lettersOf, shortened } from './chart-labels.ts'

const LETTER_PX = 7
const GAP_PX = 20

/** Where not all labels fit, each second or third of them: a gap in the middle would look like a missing value. */
const EVENLY = 'equidistantPreserveStart'

/** Where the library draws. */
interface Drawn {
  offset: { left?: number; width?: number }
}

/** Stacked bars, or lines for values that cannot be added. */
export function ChartDrawing({ data, axis, show, mark, totalText, lying = false, height }: ChartLook) {
  const still = useReducedMotion()
  const points = new Map(data.points.map((point) => [point.key, point]))
  const labelOf = (key: unknown) => shortened(points.get(String(key))?.label ?? '')
  const headingOf = (key: unknown) => {
    const point = points.get(String(key))
    if (point === undefined) return ''
    return data.adds && data.series.length > 1 ? `${point.name} · ${totalText(show(totalOf(point)))}` : point.name
  }
  const last = axis.ticks.at(-1) ?? 1
  const amounts = { ticks: axis.ticks, domain: [0, last], tickFormatter: mark }
  const common = {
    h: height,
    data: data.points.map(({ key, values }) => ({ key, ...values })),
    dataKey: 'key',
    series: data.series.map(({ key, name }) => ({ name: key, label: name, color: seriesColor(data.series, key) })),
    valueFormatter: show,
    tickLine: 'none',
    tooltipAnimationDuration: 0,
    tooltipProps: { wrapperStyle: { zIndex: 5 }, labelFormatter: headingOf },
  } as const
  // Keyboards and screen readers have the tables; the drawing itself is hidden from them. The topmost label needs room
  // above its line, and the last one of an axis of amounts beside it.
  const right = lying ? widthOf([mark(last)]) / 2 : GAP_PX / 2
  const plain = { accessibilityLayer: false, margin: { top: 8, right } }
  const linesAt = ({ left = 0, width = 0 }: Drawn['offset']) => axis.ticks.map((tick) => left + (width * tick) / last)
  if (!data.adds && !lying)
    return (
      <LineChart
        {...common}
        curveType="linear"
        connectNulls={false}
        gridAxis="x"
        withDots={data.points.length <= 48}
        dotProps={{ r: 3 }}
        lineChartProps={plain}
        xAxisProps={{ tickFormatter: labelOf, interval: EVENLY }}
        yAxisProps={{ width: widthOf(axis.ticks.map(mark)), ...amounts }}
        lineProps={{ isAnimationActive: false }}
      />
    )
  return (
    <BarChart
      {...common}
      type={data.adds ? 'stacked' : 'default'}
      orientation={lying ? 'vertical' : 'horizontal'}
      gridAxis={lying ? 'y' : 'x'}
      // The library leaves out lines whose numbers have no room, as it would write them.
      {...(lying && { gridProps: { verticalCoordinatesGenerator: ({ offset }: Drawn) => linesAt(offset) } })}
      maxBarWidth={lying ? 18 : 44}
      barChartProps={plain}
      xAxisProps={{ ...(lying ? amounts : { tickFormatter: labelOf }), interval: EVENLY }}
      yAxisProps={
        lying
          ? { width: widthOf(data.points.map(({ label }) => shortened(label))), tickFormatter: labelOf, interval: 0 }
          : { width: widthOf(axis.ticks.map(mark)), ...amounts }
      }
      barProps={{ isAnimationActive: !still, animationDuration: 120 }}
    />
  )
}

/** Room for the longest label beside the chart. */
const widthOf = (texts: readonly string[]) => GAP_PX + LETTER_PX * Math.max(...texts.map(lettersOf))
