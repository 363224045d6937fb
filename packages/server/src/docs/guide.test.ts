import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { testApp } from '../testing/app.ts'
import { setOptions } from '../testing/makers.ts'
import { anchorOf, guideMarkup } from './guide-markup.ts'

const GUIDE = join(import.meta.dir, '../../../../docs/guide')
const namesIn = (language: string) => readdirSync(join(GUIDE, language)).map((file) => file.replace('.md', ''))
const addressOf = (language: string, name: string) => `/docs/guide/${language}${name === 'README' ? '' : `/${name}`}`
const PAGES = ['zh', 'en'].flatMap((language) => namesIn(language).map((name) => ({ language, name })))

test('every page of the guide is served, and every link and picture in it works', async () => {
  const app = await testApp()
  const asked = new Map<string, Promise<number>>()
  const statusOf = (path: string) => {
    const known = asked.get(path) ?? fetch(app.url + path).then(({ status }) => status)
    asked.set(path, known)
    return known
  }
  expect(PAGES.length).toBeGreaterThan(20)
  for (const { language, name } of PAGES) {
    const response = await fetch(app.url + addressOf(language, name))
    const html = await response.text()
    expect([name, response.status, response.headers.get('content-type')]).toEqual([
      name,
      200,
      'text/html; charset=utf-8',
    ])
    expect(html).toContain(`<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">`)
    expect(html).toMatch(/<title>.*Tollgate.*<\/title>/)
    expect(html).toContain(`href="${addressOf(language === 'zh' ? 'en' : 'zh', name)}"`)
    const targets = [...html.matchAll(/(?:href|src|srcset)="([^"]*)"/g)].map(([, target = '']) => target)
    for (const target of targets) {
      // Nothing is loaded from another host.
      expect(target).toMatch(/^[#/](?!\/)/)
      const [path = '', anchor] = target.split('#')
      if (path !== '' && path !== '/') expect([target, await statusOf(path)]).toEqual([target, 200])
      if (path === '' && anchor !== 'text') expect(html).toContain(`id="${decodeURIComponent(anchor ?? '')}"`)
    }
    expect(html).not.toMatch(/<(script|link|iframe|object|embed|base|form)\b/i)
  }
})

test('the guide opens in the requested language, that of the browser, or that of the site', async () => {
  const app = await testApp()
  const open = async (path: string, language?: string) => {
    const headers = language === undefined ? {} : { 'accept-language': language }
    const { status, headers: answered } = await fetch(app.url + path, { redirect: 'manual', headers })
    return [status, answered.get('location'), answered.get('vary')]
  }
  expect(await open('/docs/guide', 'en-GB,en;q=0.8')).toEqual([302, '/docs/guide/en', 'accept-language'])
  expect(await open('/docs/guide/', 'zh-CN')).toEqual([302, '/docs/guide/zh', 'accept-language'])
  expect(await open('/docs/guide?lang=zh', 'en')).toEqual([302, '/docs/guide/zh', 'accept-language'])
  expect(await open('/docs/guide?lang=en', 'zh')).toEqual([302, '/docs/guide/en', 'accept-language'])
  expect(await open('/docs/guide', 'fr')).toEqual([302, '/docs/guide/zh', 'accept-language'])
  await setOptions(app, { DefaultLocale: 'en' })
  expect(await open('/docs/guide?lang=tlh', 'fr')).toEqual([302, '/docs/guide/en', 'accept-language'])
})

test.each([
  ['/docs/guide/en/no-such-page', 'en'],
  ['/docs/guide/zh/README', 'zh-CN'],
  ['/docs/guide/en/first-steps/more', 'en'],
  ['/docs/guide/fr', 'en'],
  ['/docs/guide/en/constructor', 'en'],
  ['/docs/guide/en/%00', 'en'],
  ['/docs/pictures/no-such-picture.webp', 'en'],
  ['/docs/pictures', 'en'],
  ['/docs/pictures/home-en-light.png', 'en'],
])('%s is not a page, and the answer links to the guide', async (path, language) => {
  const app = await testApp()
  const response = await fetch(app.url + path, { headers: { 'accept-language': 'en' } })
  const html = await response.text()
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(html).toContain(`<html lang="${language}">`)
  expect(html).toContain(`href="/docs/guide/${language === 'en' ? 'en' : 'zh'}"`)
})

test.each(['/docs/guide/en/..%2foperating', '/docs/guide/en/..%5c..%5coperating', '/docs/pictures/..%2foperating.md'])(
  'no path leads out of the folders: %s',
  async (path) => {
    const app = await testApp()
    expect((await fetch(app.url + path)).status).toBe(400)
  },
)

test('the guide has a strict content policy, is read-only, and is rate-limited like the files of the console', async () => {
  const app = await testApp({ limits: { web: 2 } })
  const page = await fetch(`${app.url}/docs/guide/en/billing`)
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toStartWith("default-src 'none'; style-src 'unsafe-inline'; img-src 'self'")
  expect(policy).not.toContain('script-src')
  expect(page.headers.get('x-frame-options')).toBe('DENY')
  expect((await fetch(`${app.url}/docs/guide/en`, { method: 'POST' })).status).toBe(405)
  expect((await fetch(`${app.url}/docs/guide/en`)).status).toBe(429)
})

test('a picture is shown in the reader’s colour scheme, in its size, and cached for an hour', async () => {
  const app = await testApp()
  const { html } = guideMarkup('![A "b"](../../pictures/home-en-light.webp)', 'en')
  expect(html).toContain('<source media="(prefers-color-scheme: dark)" srcset="/docs/pictures/home-en-dark.webp">')
  expect(html).toContain('alt="A &quot;b&quot;" width="1280" height="800"')
  const { headers } = await fetch(`${app.url}/docs/pictures/home-en-light.webp`)
  expect([headers.get('content-type'), headers.get('cache-control')]).toEqual(['image/webp', 'public, max-age=3600'])
})

test('a table of text can be read on a narrow screen, where its cells are stacked; one of numbers stays a table', () => {
  const words = guideMarkup('| a | b | c |\n|---|---|---|\n| 1 | | 3 |\n', 'en').html
  expect(words).toContain('<table class="cards">')
  expect(words).toContain('<td data-head="a">1</td><td data-head="b"></td><td data-head="c">3</td>')
  const numbers = guideMarkup('| a | b | c |\n|---|--:|---|\n| 1 | 2 | 3 |\n', 'en').html
  expect(numbers).toStartWith('<div class="wide" tabindex="0"><table>')
})

test('links become addresses, headings get the ids that code hosts give them, and no HTML passes', () => {
  const link = (target: string) => /href="([^"]*)"/.exec(guideMarkup(`[x](${target})`, 'zh').html)?.[1]
  expect(link('channels.md#weights')).toBe('/docs/guide/zh/channels#weights')
  expect(link('../en/README.md')).toBe('/docs/guide/en')
  expect(link('README.md')).toBe('/docs/guide/zh')
  expect(link('#there')).toBe('#there')
  expect([anchorOf('When a provider fails?'), anchorOf('A `b` & c'), anchorOf('停止，再启动')]).toEqual([
    'when-a-provider-fails',
    'a-b--c',
    '停止再启动',
  ])
  expect(guideMarkup('## A *b*', 'en').html).toContain('<h2 id="a-b">')
  expect(guideMarkup('<img src=x onerror=y>\n\nA <b>c</b>', 'en').html).not.toMatch(/<(img|b)\b/)
})
