import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const LANGUAGES = ['zh', 'en'] as const
export type GuideLanguage = (typeof LANGUAGES)[number]

/** The checkable parts of a page. */
export interface GuidePage {
  language: GuideLanguage
  /** Without `.md`. */
  name: string
  /** From the project's root. */
  path: string
  text: string
  links: string[]
  pictures: string[]
  /** Inline code and code blocks. */
  code: string[]
  /** Bold text, which must occur on the screen. */
  bold: string[]
  /** The cells of every table row except the header, as HTML. */
  rows: string[][]
  headings: { level: number; text: string }[]
}

/** The pages of a language, by name. */
export const readGuide = (root: string, language: GuideLanguage): GuidePage[] => {
  const folder = join('docs', 'guide', language)
  if (!existsSync(join(root, folder))) return []
  const files = readdirSync(join(root, folder)).filter((file) => file.endsWith('.md'))
  return files.sort().map((file) => readPage(root, language, join(folder, file)))
}

function readPage(root: string, language: GuideLanguage, path: string): GuidePage {
  const text = readFileSync(join(root, path), 'utf8')
  const html = Bun.markdown.html(text)
  return {
    language,
    name: /([\w-]+)\.md$/.exec(path)?.[1] ?? '',
    path,
    text,
    links: inTags(html, /<a href="([^"]*)"/g).map(decodeURI),
    pictures: inTags(html, /<img src="([^"]*)"/g),
    code: inTags(html, /<code[^>]*>(.*?)<\/code>/gs).map(plain),
    bold: inTags(html, /<strong>(.*?)<\/strong>/gs).map((words) => plain(words).replace(/\s+/g, ' ')),
    rows: inTags(html, /<tr>((?:<td.*?)+)<\/tr>/gs).map((row) => inTags(row, /<td[^>]*>(.*?)<\/td>/gs)),
    headings: [...html.matchAll(/<h([1-6])>(.*?)<\/h\1>/gs)].map(([, level, heading = '']) => ({
      level: Number(level),
      text: plain(heading),
    })),
  }
}

/** HTML as plain text. */
export const plain = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

const inTags = (html: string, tag: RegExp) => [...html.matchAll(tag)].map(([, inside = '']) => inside)
