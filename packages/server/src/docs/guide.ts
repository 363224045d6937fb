import { join } from 'node:path'
import type { Language } from '../common/errors.ts'
import { guideMarkup } from './guide-markup.ts'
import { addressOf, type Chapter, guideMissing, guidePage } from './guide-page.ts'

interface Needs {
  /** Contains `guide` with a folder for each language, and `pictures`. */
  folder: string
  /** The language for an Accept-Language header; null without one. */
  languageFor(acceptLanguage: string | null): Language
}

/** The guide from its files; a page is read and rendered on first request. */
export const createGuide = ({ folder, languageFor }: Needs) => {
  const pages = new Map<string, string>()

  const textOf = async (language: Language, name: string) => {
    const file = Bun.file(join(folder, 'guide', language, `${name}.md`))
    return (await file.exists()) ? file.text() : ''
  }

  const make = async (language: Language, name: string | undefined) => {
    const contents = await textOf(language, CONTENTS)
    const chapters = chaptersOf(contents)
    if (name !== undefined && !chapters.some((chapter) => chapter.name === name)) return undefined
    const text = name === undefined ? contents : await textOf(language, name)
    return guidePage({ language, name, chapters, ...guideMarkup(text, language) })
  }

  /** Only existing pages are cached: other paths are arbitrary. */
  const pageOf = async (language: Language, name: string | undefined) => {
    const address = addressOf(language, name)
    const page = pages.get(address) ?? (await make(language, name))
    if (page !== undefined) pages.set(address, page)
    return page
  }

  const answerPage = async (language: Language, name: string | undefined, headers: Headers) => {
    const page = await pageOf(language, name)
    if (page !== undefined) return html(page, 200, headers)
    return html(guideMissing(language, chaptersOf(await textOf(language, CONTENTS))), 404, headers)
  }

  const answerPicture = async (name: string, headers: Headers) => {
    const file = Bun.file(join(folder, 'pictures', name))
    if (!PICTURE.test(name) || !(await file.exists())) return undefined
    headers.set('content-type', 'image/webp')
    headers.set('cache-control', 'public, max-age=3600')
    return new Response(file, { headers })
  }

  return {
    owns: (pathname: string) => /^\/docs\/(guide|pictures)(\/|$)/.test(pathname),

    async fetch(request: Request, headers: Headers): Promise<Response> {
      if (request.method !== 'GET' && request.method !== 'HEAD') return new Response(null, { status: 405, headers })
      const { pathname, searchParams } = new URL(request.url)
      const [, , place, first = '', second, ...more] = pathname.replace(/\/$/, '').split('/')
      const preferred = languageFor(searchParams.get('lang') ?? request.headers.get('accept-language'))
      if (place === 'pictures') {
        return (await answerPicture(first, headers)) ?? answerPage(preferred, pathname, headers)
      }
      if (first === '') return toLanguage(preferred, headers)
      if (!isLanguage(first) || more.length > 0) return answerPage(preferred, pathname, headers)
      return answerPage(first, second, headers)
    },
  }
}

const CONTENTS = 'README'
const PICTURE = /^[a-z\d-]+\.webp$/

const isLanguage = (text: string): text is Language => text === 'zh' || text === 'en'

/** The table of contents defines the order of pages: `- [Title](name.md): what it says`. */
const chaptersOf = (contents: string): Chapter[] =>
  [...contents.matchAll(/^- \[(.+?)\]\(([\w-]+)\.md\)/gm)].map(([, title = '', name = '']) => ({ name, title }))

function toLanguage(language: Language, headers: Headers) {
  headers.set('location', addressOf(language, undefined))
  headers.set('vary', 'accept-language')
  return new Response(null, { status: 302, headers })
}

/** As strict as every other answer, except for the page's inline style and our own images. */
function html(page: string, status: number, headers: Headers) {
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.set('cache-control', 'no-cache')
  headers.set(
    'content-security-policy',
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  return new Response(page, { status, headers })
}
