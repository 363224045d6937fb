import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { guideFindings } from './guide-check.ts'
import { type GuideFacts, guideFacts } from './lib/guide-facts.ts'
import { ROOT } from './lib/run.mjs'
import { withTree } from './lib/temporary-tree.ts'

const FACTS: GuideFacts = {
  settings: [
    { name: 'PORT', page: 'running', initial: { zh: '3000', en: '3000' } },
    {
      name: 'RetryTimes',
      page: 'settings',
      initial: { zh: '0', en: '0' },
      label: { zh: '失败重试次数', en: 'Retries' },
    },
  ],
  scripts: ['start', 'audit'],
  commands: ['start', 'help'],
  flags: ['port', 'json'],
  screens: ['/', '/token'],
  calls: ['PUT /api/option/'],
  isOnScreen: (words) => ['Retries', '失败重试次数', 'Home'].includes(words),
}

const PAGE = '# A page\n'
/** A guide without mistakes; a test changes one of its files. */
const SOUND = {
  'docs/guide/en/README.md': '# Guide\n\n- [A](a.md)\n',
  'docs/guide/zh/README.md': '# 指南\n\n- [甲](a.md)\n',
  'docs/guide/en/a.md': PAGE,
  'docs/guide/zh/a.md': PAGE,
}

const found = (changed: Record<string, string>) =>
  withTree({ ...SOUND, ...changed }, (root) =>
    guideFindings(root, FACTS).map(({ file, what }) => `${file.replace('docs/guide/', '')}: ${what}`),
  )
const inBoth = (name: string, text: string) => ({
  [`docs/guide/en/${name}.md`]: text,
  [`docs/guide/zh/${name}.md`]: text,
})
const withPage = (name: string) => ({
  'docs/guide/en/README.md': `# Guide\n\n- [A](a.md)\n- [B](${name}.md)\n`,
  'docs/guide/zh/README.md': `# 指南\n\n- [甲](a.md)\n- [乙](${name}.md)\n`,
})
const inA = (text: string) =>
  found(inBoth('a', `${PAGE}\n${text}\n`)).filter((finding) => finding.startsWith('en/a.md: '))

test('the guide matches the product', async () => {
  expect(guideFindings(ROOT, await guideFacts())).toEqual([])
})

test('a correct guide has no findings', () => {
  expect(found({})).toEqual([])
})

test('broken links, missing headings and links out of the guide are found', () => {
  expect(inA('[x](README.md) [y](#a-page) [z](../zh/a.md#a-page)')).toEqual([])
  expect(inA('[x](b.md)')).toEqual(['en/a.md: the link b.md leads nowhere'])
  expect(inA('[x](#b)')).toEqual(['en/a.md: the link #b leads to no heading'])
  expect(inA('[x](../../operating.md)')).toEqual(['en/a.md: the link ../../operating.md leads nowhere'])
})

test('pictures that are missing, of the other language, too large or unused are found', () => {
  const picture = '![x](../../pictures/x-en-light.webp)'
  const page = {
    'docs/guide/en/a.md': `${PAGE}\n${picture}\n`,
    'docs/guide/zh/a.md': `${PAGE}\n${picture.replace('-en-', '-zh-')}\n`,
  }
  const files = (content = '') =>
    Object.fromEntries(
      ['en-light', 'en-dark', 'zh-light', 'zh-dark'].map((look) => [`docs/pictures/x-${look}.webp`, content]),
    )
  expect(found({ ...page, ...files() })).toEqual([])
  expect(found(page)).toContain('en/a.md: there is no docs/pictures/x-en-dark.webp: npm run pictures')
  expect(found({ ...page, ...files('x'.repeat(120_001)) })).toHaveLength(4)
  expect(inA(picture.replace('-en-', '-zh-'))).toContain(
    'en/a.md: ../../pictures/x-zh-light.webp is not the light picture of this language',
  )
  expect(found({ 'docs/pictures/y-en-dark.webp': '' })).toEqual(['docs/pictures/y-en-dark.webp: no page shows it'])
})

test('a link of any other document to a file that does not exist is found', () => {
  const readme = (text: string) => found({ 'README.md': text, 'docs/decisions/001-a.md': '[x](../guide/en/a.md#b)' })
  expect(readme('[a](docs/guide/en/a.md) [b](#b) [c](https://a.example) <img src="docs/guide">')).toEqual([])
  expect(readme('[a](docs/b.md) <img src="docs/b.png">')).toEqual([
    'README.md: there is no docs/b.md',
    'README.md: there is no docs/b.png',
  ])
})

test('a source file that a document names exists', () => {
  const sources = {
    'packages/server/src/relay/relay.ts': '',
    'docs/decisions/001-a.md': '`relay/relay.ts`, `relay.ts`',
  }
  expect(found(sources)).toEqual([])
  expect(found({ ...sources, 'README.md': 'See `relay/lay.ts`.' })).toEqual([
    'README.md: there is no source file relay/lay.ts',
  ])
})

test('unknown commands, options, endpoints and files are found', () => {
  expect(inA('`npm start -- --port 1`, `npm run audit`, `npx tollgate help`, `PUT /api/option/`')).toEqual([])
  for (const [code, what] of [
    ['npm run fly', 'npm script fly'],
    ['npx tollgate fly', 'command tollgate fly'],
    ['npm start -- --fly', 'option fly'],
    ['GET /api/option/', 'call GET /api/option/'],
    ['deploy/fly.conf', 'file deploy/fly.conf'],
  ]) {
    expect(inA(`\`${code}\``)).toEqual([`en/a.md: there is no ${what}`])
    if (code?.startsWith('np')) expect(inA(`\`\`\`sh\n${code}\n\`\`\``)).toEqual([`en/a.md: there is no ${what}`])
  }
})

test('bold words that are on no screen are found', () => {
  expect(inA('**Home**')).toEqual([])
  expect(inA('**Hom**')).toEqual(['en/a.md: **Hom** does not stand on any screen'])
})

test('a setting without a row, with another default or name, and a row without a setting are found', () => {
  const head = '| variable | default | meaning |\n|---|---|---|\n'
  const running = (rows: string) => found({ ...withPage('running'), ...inBoth('running', `# R\n\n${head}${rows}`) })
  expect(running('| `PORT` | `3000` | the port |\n')).toEqual([])
  expect(running('| `HOST` | `0` | x |\n').filter((finding) => finding.startsWith('zh'))).toEqual([
    'zh/running.md: there is no setting HOST',
    'zh/running.md: the setting PORT is not described',
  ])
  expect(running('| `PORT` | `3000` | |\n')).toContain('en/running.md: the setting PORT is not described')
  expect(running('| `PORT` | `80` | the port |\n')).toContain('zh/running.md: the default of PORT is 3000')

  const settings = (label: string) =>
    found({
      ...withPage('settings'),
      ...inBoth('settings', `# S\n\n${head}| **${label}** \`RetryTimes\` | \`0\` | x |\n`),
    })
  expect(settings('Retries')).toEqual(['zh/settings.md: on the screen RetryTimes is called 失败重试次数'])
})

test('a screen without a row and a row without a screen are found', () => {
  const screens = (first: string) =>
    found({ ...withPage('screens'), ...inBoth('screens', `# S\n\n| a | b |\n|---|---|\n| ${first} | x |\n`) })
  expect(screens('`/`, `/token`')).toEqual([])
  expect(screens('`/`, `/fly`').filter((finding) => finding.startsWith('en'))).toEqual([
    'en/screens.md: the screen /token is not described',
    'en/screens.md: there is no screen /fly',
  ])
})

test('a page that is missing in one language or in the contents, or whose sections differ, is found', () => {
  expect(found({ 'docs/guide/en/b.md': PAGE })).toEqual([
    'en/README.md: b.md does not stand here once',
    'en/b.md: the other language does not have this page',
  ])
  expect(found({ 'docs/guide/zh/a.md': `${PAGE}\n## More\n` })).toEqual([
    'en/a.md: its sections differ from those of docs/guide/zh/a.md',
  ])
  expect(found({ 'docs/guide/zh/a.md': `${PAGE}\n| a |\n|---|\n| b |\n` })).toEqual([
    'en/a.md: its table rows differ from those of docs/guide/zh/a.md',
  ])
})

test('the guide’s nginx settings match the repository’s own configuration', () => {
  const directives = (text: string) =>
    [...text.matchAll(/^ +((?:proxy_(?!pass)|client_)[^;]+);/gm)].map(([, line]) => line)
  const own = directives(readFileSync(join(ROOT, 'deploy/nginx.conf'), 'utf8'))
  expect(own.length).toBeGreaterThan(8)
  for (const language of ['zh', 'en']) {
    expect(directives(readFileSync(join(ROOT, `docs/guide/${language}/proxy.md`), 'utf8'))).toEqual(own)
  }
})
