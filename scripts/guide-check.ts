// `npm run check -- guide`: what the guide says exists. Its links, pictures and commands; every setting, with its name and default;
// every screen; words in bold; and the same pages in both languages.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { anchorOf } from '../packages/server/src/docs/guide-markup.ts'
import { brokenLinks, missingSources } from './lib/document-links.ts'
import { type GuideFacts, guideFacts, type Setting } from './lib/guide-facts.ts'
import { type GuidePage, LANGUAGES, plain, readGuide } from './lib/guide-pages.ts'
import { ROOT } from './lib/run.mjs'

export interface GuideFinding {
  file: string
  what: string
}

const CONTENTS = 'README'
const PICTURES = 'docs/pictures'
const PICTURE_MAX = 120_000

export const guideFindings = (root: string, facts: GuideFacts): GuideFinding[] => {
  const pages = LANGUAGES.flatMap((language) => readGuide(root, language))
  return [
    ...pages.flatMap((page) =>
      [
        ...linkFindings(page, pages),
        ...pictureFindings(root, page),
        ...codeFindings(root, page, facts),
        ...page.bold
          .filter((words) => !facts.isOnScreen(words, page.language) && !/^\d\.$/.test(words))
          .map(notOnScreen),
      ].map((what) => ({ file: page.path, what })),
    ),
    ...LANGUAGES.flatMap((language) => {
      const own = pages.filter((page) => page.language === language)
      return [...contentsFindings(own), ...settingFindings(own, facts.settings), ...screenFindings(own, facts.screens)]
    }),
    ...pairFindings(pages),
    ...strayPictures(root),
    ...brokenLinks(root),
    ...missingSources(root),
  ]
}

const notOnScreen = (words: string) => `**${words}** does not stand on any screen`

/** A page may only link to pages of the guide: nothing else is served with it. */
function linkFindings(page: GuidePage, pages: readonly GuidePage[]) {
  return page.links.flatMap((link) => {
    const [file = '', anchor] = link.split('#')
    const path = file === '' ? page.path : normalize(join(dirname(page.path), file))
    const target = pages.find((other) => other.path === path)
    if (target === undefined) return [`the link ${link} leads nowhere`]
    const anchors = target.headings.map(({ text }) => anchorOf(text))
    return anchor === undefined || anchors.includes(anchor) ? [] : [`the link ${link} leads to no heading`]
  })
}

function pictureFindings(root: string, page: GuidePage) {
  return page.pictures.flatMap((picture) => {
    const light = join(dirname(page.path), picture)
    if (!picture.endsWith(`-${page.language}-light.webp`))
      return [`${picture} is not the light picture of this language`]
    return [light, light.replace('-light.', '-dark.')].flatMap((path) => {
      if (!existsSync(join(root, path))) return [`there is no ${path}: npm run pictures`]
      return statSync(join(root, path)).size > PICTURE_MAX ? [`${path} is larger than ${PICTURE_MAX} bytes`] : []
    })
  })
}

function codeFindings(root: string, { code }: GuidePage, facts: GuideFacts) {
  const named = (pattern: RegExp) => code.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name))
  const missing = (what: string, names: readonly string[], known: readonly string[]) =>
    names.filter((name) => !known.includes(name)).map((name) => `there is no ${what} ${name}`)
  return [
    ...missing('npm script', [...named(/\bnpm run ([\w:-]+)/g), ...named(/\bnpm (start|test)\b/g)], facts.scripts),
    ...missing('command tollgate', named(/(?:^|\s)tollgate ([a-z][\w-]*)/g), facts.commands),
    ...missing('option', named(/(?<=\s)--([a-z][\w-]*)/g), facts.flags),
    ...missing('call', named(/\b((?:GET|POST|PUT|DELETE) \/api\/[\w/:-]*)/g), facts.calls),
    ...named(/^((?:deploy\/|compose[\w.]*\.yaml$)\S*)$/g)
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `there is no file ${path}`),
  ]
}

/** The table of contents names every page once. */
function contentsFindings(pages: readonly GuidePage[]) {
  const contents = pages.find(({ name }) => name === CONTENTS)
  if (contents === undefined) return []
  return pages
    .filter(({ name }) => name !== CONTENTS && contents.links.filter((link) => link === `${name}.md`).length !== 1)
    .map(({ name }) => ({ file: contents.path, what: `${name}.md does not stand here once` }))
}

/** Each setting has a row: name and label, default, meaning. And no row describes a removed one. */
function settingFindings(pages: readonly GuidePage[], settings: readonly Setting[]): GuideFinding[] {
  return pages.flatMap((page) => {
    const own = settings.filter((setting) => setting.page === page.name)
    if (own.length === 0) return []
    const rows = page.rows.flatMap(([first = '', initial = '', meaning = '']) => {
      const name = /<code>([A-Z]\w+)<\/code>$/.exec(first)?.[1]
      const label = /<strong>(.*)<\/strong>/.exec(first)?.[1]
      return name === undefined ? [] : [{ name, label, initial: plain(initial).replaceAll(', ', ','), meaning }]
    })
    const gone = rows.filter(({ name }) => !own.some((setting) => setting.name === name))
    const wrong = own.flatMap(({ name, initial, label }) => {
      const row = rows.find((other) => other.name === name)
      if (row === undefined || row.meaning === '') return [`the setting ${name} is not described`]
      return [
        ...(row.initial === initial[page.language] ? [] : [`the default of ${name} is ${initial[page.language]}`]),
        ...(row.label === label?.[page.language] ? [] : [`on the screen ${name} is called ${label?.[page.language]}`]),
      ]
    })
    return [...gone.map(({ name }) => `there is no setting ${name}`), ...wrong].map((what) => ({
      file: page.path,
      what,
    }))
  })
}

function screenFindings(pages: readonly GuidePage[], screens: readonly string[]): GuideFinding[] {
  const page = pages.find(({ name }) => name === 'screens')
  if (page === undefined) return []
  const described = page.rows.flatMap(([first = '']) =>
    [...first.matchAll(/<code>(\/[^<]*)<\/code>/g)].map(([, path]) => path),
  )
  return [
    ...screens.filter((path) => !described.includes(path)).map((path) => `the screen ${path} is not described`),
    ...described.filter((path = '') => !screens.includes(path)).map((path) => `there is no screen ${path}`),
  ].map((what) => ({ file: page.path, what }))
}

/** Both languages have the same pages in the same order, with the same sections and tables. */
function pairFindings(pages: readonly GuidePage[]): GuideFinding[] {
  return pages.flatMap((page) => {
    const other = pages.find(({ name, language }) => name === page.name && language !== page.language)
    if (other === undefined) return [{ file: page.path, what: 'the other language does not have this page' }]
    if (page.language !== 'en') return []
    const outline = ({ headings, rows, pictures, links, name }: GuidePage) => ({
      sections: headings.map(({ level }) => level).join(' '),
      'table rows': rows.map((cells) => cells.length).join(' '),
      pictures: pictures.map((path) => path.replace(/-(zh|en)-light/, '')).join(' '),
      order: name === CONTENTS ? links.filter((link) => !link.includes('/')).join(' ') : '',
    })
    const [own, others] = [outline(page), outline(other)]
    return Object.keys(own)
      .filter((part) => own[part as keyof typeof own] !== others[part as keyof typeof own])
      .map((part) => ({ file: page.path, what: `its ${part} differ from those of ${other.path}` }))
  })
}

/** A picture without a page was forgotten when its page changed. */
function strayPictures(root: string): GuideFinding[] {
  const folder = join(root, PICTURES)
  if (!existsSync(folder)) return []
  const readmes = ['README.md', 'README.zh.md'].filter((file) => existsSync(join(root, file)))
  const guide = LANGUAGES.flatMap((language) => readGuide(root, language).map(({ text }) => text))
  const shown = [...guide, ...readmes.map((file) => readFileSync(join(root, file), 'utf8'))].join('\n')
  return readdirSync(folder)
    .filter((file) => !shown.includes(file.replace('-dark.', '-light.')))
    .map((file) => ({ file: join(PICTURES, file), what: 'no page shows it' }))
}

if (import.meta.main) {
  const findings = guideFindings(ROOT, await guideFacts())
  for (const { file, what } of findings) console.error(`${file}: ${what}`)
  process.exit(findings.length === 0 ? 0 : 1)
}
