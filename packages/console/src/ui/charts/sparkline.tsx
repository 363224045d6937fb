import classes from './sparkline.module.css'

const WIDTH = 64
const HEIGHT = 18
/** Room for the line width and the dot at its end. */
const EDGE = 2

/** A small line of a few values, with a text for its name and tooltip. */
export function Sparkline({ values, title }: { values: readonly number[]; title: string }) {
  const points = values.map((value, index) => place(value, index, values))
  const last = points.at(-1)
  return (
    <svg className={classes.line} role="img" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
      <title>{title}</title>
      <polyline points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
      {last && <circle cx={last.x} cy={last.y} r={EDGE} />}
    </svg>
  )
}

function place(value: number, index: number, values: readonly number[]) {
  const most = Math.max(1, ...values)
  const x = EDGE + (index * (WIDTH - 2 * EDGE)) / Math.max(1, values.length - 1)
  return { x: Math.round(x * 10) / 10, y: Math.round((HEIGHT - EDGE - (value / most) * (HEIGHT - 2 * EDGE)) * 10) / 10 }
}
