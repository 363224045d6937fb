const SVG = 'http://www.w3.org/2000/svg'
const SCALE = 2
const EDGE = 24
const TITLE = 28
const LINE = 20

/** Styles from the style sheet, which a standalone image would lack. */
const LOOKS = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-opacity', 'opacity']
const LETTERS = ['font-family', 'font-size', 'font-weight', 'text-anchor']

/** The chart inside `frame` as a PNG, with a title and its legend; undefined when it is not rendered yet. */
export async function chartPng(frame: HTMLElement, title: string): Promise<Blob | undefined> {
  const drawn = frame.querySelector<SVGSVGElement>('svg.recharts-surface')
  if (drawn === null) return undefined
  const { width, height } = drawn.getBoundingClientRect()
  const style = getComputedStyle(frame)
  const ink = style.color
  const font = style.fontFamily
  const picture = document.createElementNS(SVG, 'svg')
  const names = [...frame.querySelectorAll('li')]
  const whole = { width: width + 2 * EDGE, height: height + TITLE + names.length * LINE + 2 * EDGE }
  set(picture, { ...whole, viewBox: `0 0 ${whole.width} ${whole.height}` })
  add('rect', { ...whole, fill: paper(frame) })
  add('text', { x: EDGE, y: EDGE + 12, fill: ink, 'font-family': font, 'font-size': 15, 'font-weight': 600 }, title)
  const chart = withLooks(drawn)
  set(chart, { x: EDGE, y: EDGE + TITLE, width, height })
  picture.append(chart)
  names.forEach((entry, index) => {
    const y = EDGE + TITLE + height + (index + 1) * LINE
    add('rect', { x: EDGE, y: y - 9, width: 10, height: 10, rx: 2, fill: colorOf(entry) })
    add('text', { x: EDGE + 18, y, fill: ink, 'font-family': font, 'font-size': 12 }, entry.textContent ?? '')
  })
  return drawOnCanvas(new XMLSerializer().serializeToString(picture), whole)

  function add(name: string, attributes: Record<string, string | number>, text = '') {
    const element = document.createElementNS(SVG, name)
    set(element, attributes)
    element.textContent = text
    picture.append(element)
  }
}

/** A copy that looks the same without any style sheet. */
function withLooks(drawn: SVGSVGElement) {
  const copy = drawn.cloneNode(true) as SVGSVGElement // A clone is of the same kind.
  const copies = copy.querySelectorAll('*')
  drawn.querySelectorAll('*').forEach((element, index) => {
    const style = getComputedStyle(element)
    const twin = copies[index]
    if (twin === undefined) return
    const names = /^(text|tspan)$/.test(element.tagName) ? [...LOOKS, ...LETTERS] : LOOKS
    set(twin, Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name)])))
    twin.removeAttribute('class')
    twin.removeAttribute('style')
  })
  copy.removeAttribute('style')
  return copy
}

async function drawOnCanvas(xml: string, { width, height }: { width: number; height: number }) {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(xml)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = Math.ceil(width * SCALE)
  canvas.height = Math.ceil(height * SCALE)
  const context = canvas.getContext('2d')
  if (context === null) return undefined
  context.scale(SCALE, SCALE)
  context.drawImage(image, 0, 0, width, height)
  return new Promise<Blob | undefined>((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/png'))
}

const set = (element: Element, attributes: Record<string, string | number>) => {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
}

/** The colour of the swatch before a name. */
function colorOf(entry: HTMLElement) {
  const square = entry.querySelector('span')
  return square === null ? 'none' : getComputedStyle(square).backgroundColor
}

/** The background colour of the chart. */
function paper(frame: HTMLElement) {
  const panel = frame.closest('section')
  return panel === null ? '#fff' : getComputedStyle(panel).backgroundColor
}
