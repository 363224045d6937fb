/** Screenshots all have this size, so that a page does not shift while they load. */
export const PICTURE_SIZE = { width: 1280, height: 800 }

export interface Heading {
  level: number
  id: string
  /** HTML. */
  text: string
}

/**
 * A page of the guide as HTML. The source also works on a code host: links name files, and an image names its light variant,
 * which is replaced by the dark one in dark mode.
 */
export const guideMarkup = (markdown: string, language: string) => {
  const headings: Heading[] = []
  const html = Bun.markdown
    .html(markdown, { noHtmlBlocks: true, noHtmlSpans: true })
    .replace(/<h([1-6])>(.*?)<\/h\1>/gs, (_, level: string, text: string) => {
      const heading = { level: Number(level), id: anchorOf(plain(text)), text }
      headings.push(heading)
      return `<h${level} id="${heading.id}">${text}</h${level}>`
    })
    .replace(/<a href="([^"]*)"/g, (_, target: string) => `<a href="${hrefOf(target, language)}"`)
    .replace(/<p><img src="([^"]*)" alt="([^"]*)" \/><\/p>/g, (_, source: string, alt: string) => picture(source, alt))
    .replace(/<table>.*?<\/table>/gs, table)
    // Scrollable elements must be reachable by keyboard.
    .replaceAll('<pre>', '<pre tabindex="0">')
  return { html, headings }
}

/** The anchor of a heading, as code hosts make it: lower-case letters and hyphens. */
export const anchorOf = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-')

const plain = (html: string) => html.replace(/<[^>]*>/g, '').replace(/&\w+;/g, '')

/** `channels.md#weights` → `/docs/guide/en/channels#weights`; `README.md` is the table of contents. */
function hrefOf(target: string, language: string) {
  const file = /^(?:\.\.\/(en|zh)\/)?([\w-]+)\.md(#.*)?$/.exec(target)
  if (file === null) return target
  const [, other = language, name = '', anchor = ''] = file
  return `/docs/guide/${other}${name === 'README' ? '' : `/${name}`}${anchor}`
}

/**
 * Tables of numbers scroll on narrow screens; the cells of other tables are stacked there, each with the name of its
 * column.
 */
function table(html: string) {
  const heads = [...html.matchAll(/<th(?: [^>]*)?>(.*?)<\/th>/gs)].map(([, head = '']) => plain(head))
  const scrolling = (inside: string) => `<div class="wide" tabindex="0">${inside}</div>`
  if (html.includes('align="right"') || heads.length < 3) return scrolling(html)
  const rows = html.replace(/<tr>(?:<td.*?<\/td>)+<\/tr>/gs, (row) => {
    let column = 0
    return row.replaceAll('<td>', () => `<td data-head="${Bun.escapeHTML(heads[column++] ?? '')}">`)
  })
  return scrolling(rows.replace('<table>', '<table class="cards">'))
}

function picture(source: string, alt: string) {
  const light = source.replace(/^\.\.\/\.\.\//, '/docs/')
  const dark = light.replace('-light.', '-dark.')
  const { width, height } = PICTURE_SIZE
  return `<p><a href="${light}"><picture><source media="(prefers-color-scheme: dark)" srcset="${dark}"><img
src="${light}" alt="${alt}" width="${width}" height="${height}" loading="lazy"></picture></a></p>`
}
