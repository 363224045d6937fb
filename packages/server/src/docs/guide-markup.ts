/** Pictures of screens all have this size, so that a page does not move while they load. */
export const PICTURE_SIZE = { width: 1280, height: 800 }

export interface Heading {
  level: number
  id: string
  /** HTML. */
  text: string
}

/**
 * A page of the guide as HTML. It is written so that a code host shows it, too: links name files, and a picture names
 * its light side, whose dark one is shown where the reader's screen is dark.
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
    // What scrolls has to be reached by the keyboard, too.
    .replaceAll('<pre>', '<pre tabindex="0">')
  return { html, headings }
}

/** The name of a heading in an address, as code hosts make it: small letters and hyphens, nothing else. */
export const anchorOf = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-')

const plain = (html: string) => html.replace(/<[^>]*>/g, '').replace(/&\w+;/g, '')

/** `channels.md#weights` → `/docs/guide/en/channels#weights`; `README.md` is the list of contents. */
function hrefOf(target: string, language: string) {
  const file = /^(?:\.\.\/(en|zh)\/)?([\w-]+)\.md(#.*)?$/.exec(target)
  if (file === null) return target
  const [, other = language, name = '', anchor = ''] = file
  return `/docs/guide/${other}${name === 'README' ? '' : `/${name}`}${anchor}`
}

/**
 * Columns of numbers scroll by themselves where the screen is narrow; the cells of other tables stand below each other
 * there, and each says what its column is called.
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
