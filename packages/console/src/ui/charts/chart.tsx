import { Skeleton, VisuallyHidden } from '@mantine/core'
import { lazy, type Ref, Suspense } from 'react'
import classes from './chart.module.css'
import { type ChartLook, seriesColor } from './chart-data.ts'

// The chart library alone is as large as the rest of the console.
const ChartDrawing = lazy(() => import('./chart-drawing.tsx').then((file) => ({ default: file.ChartDrawing })))

interface ChartProps extends ChartLook {
  /** A description for screen readers. */
  caption: string
  /** What its bars represent: days, models. */
  pointsName: string
  ref?: Ref<HTMLDivElement>
}

/** A chart with its legend; keyboards and screen readers have a table with the same numbers. */
export function Chart({ ref, caption, pointsName, ...drawing }: ChartProps) {
  const { data, height, show } = drawing
  return (
    <div className={classes.chart} ref={ref}>
      <div className={classes.picture} style={{ height }} aria-hidden>
        <Suspense fallback={<Skeleton height="100%" />}>
          <ChartDrawing {...drawing} />
        </Suspense>
      </div>
      {data.series.length > 1 && (
        <ul className={classes.legend} aria-hidden>
          {data.series.map(({ key, name }) => (
            <li key={key} className={classes.entry}>
              <span className={classes.swatch} style={{ background: seriesColor(data.series, key) }} />
              {name}
            </li>
          ))}
        </ul>
      )}
      <VisuallyHidden component="div">
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{pointsName}</th>
              {data.series.map(({ key, name }) => (
                <th key={key} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.points.map(({ key, name, values }) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                {data.series.map((series) => (
                  <td key={series.key}>{shown(values[series.key])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </div>
  )

  function shown(value: number | null | undefined) {
    return value === null || value === undefined ? '—' : show(value)
  }
}
