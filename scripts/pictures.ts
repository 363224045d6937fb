// `npm run pictures`: the pictures of the README and the guide, taken from the product in the system's Chromium, in both
// languages, light and dark. The history of the demo is made anew each time, so that the pictures change whenever they are
// taken; they are committed by hand. With names after `--` only those, such as `npm run pictures -- channel token`.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { PICTURE_SIZE } from '../packages/server/src/docs/guide-markup.ts'
import { ensureConsole } from './lib/console-build.mjs'
import { findBun } from './lib/packages.mjs'
import { ROOT } from './lib/run.mjs'
import { ensureServer } from './lib/server-build.mjs'
import { ensureSystem } from './lib/system.mjs'

const FOLDER = join(ROOT, 'docs', 'pictures')
/** The console's locale names. */
const LOCALES = { zh: 'zh-CN', en: 'en' }

type Show = (page: Page) => Promise<void>

/** The content of each picture, and what must be visible before it is taken. */
const OF_DEMO: Record<string, Show> = {
  home: async (page) => {
    await page.goto('/')
    await page.locator('.recharts-surface').first().waitFor()
  },
  analytics: async (page) => {
    await page.goto('/analytics')
    await page.locator('.recharts-surface').first().waitFor()
    await page.getByRole('row').nth(3).waitFor()
  },
  call: async (page) => {
    await page.goto('/log?type=2')
    await page.getByRole('row').nth(3).click()
    await page.getByRole('dialog').getByRole('table').first().waitFor()
  },
  connect: async (page) => {
    await page.goto('/connect')
    await page.locator('main pre').first().waitFor()
  },
  channels: async (page) => {
    await page.goto('/channel')
    await page.getByRole('row').nth(2).waitFor()
  },
  channel: async (page) => {
    await page.goto('/channel/edit/2')
    await page.getByRole('heading', { level: 2 }).first().waitFor()
  },
  users: async (page) => {
    await page.goto('/user')
    await page.getByRole('row').nth(4).waitFor()
  },
  settings: async (page) => {
    await page.goto('/setting?tab=operation#monitoring')
    await page.getByRole('heading', { level: 2 }).nth(3).waitFor()
  },
}

const OF_NEW: Record<string, Show> = {
  'first-steps': async (page) => {
    await page.goto('/')
    await page.getByRole('listitem').filter({ hasText: 'curl' }).waitFor()
  },
  token: async (page) => {
    await page.goto('/token/add')
    await page.getByRole('heading', { level: 2 }).nth(2).waitFor()
  },
}

await ensureConsole()
const program = await ensureServer()
const system = await ensureSystem(['chromium', 'cjkFont'])
const browser = await chromium.launch({ executablePath: system.chromium, args: ['--no-sandbox'] })
try {
  mkdirSync(FOLDER, { recursive: true })
  await take('demo', 'tollgate-demo', chosen(OF_DEMO))
  await take('start', 'a-password-of-root', chosen(OF_NEW))
} finally {
  await browser.close()
}

function chosen(pictures: Record<string, Show>) {
  const names = process.argv.slice(2)
  return Object.entries(pictures).filter(([name]) => names.length === 0 || names.includes(name))
}

/** With a server of its own, which ends afterwards. */
async function take(command: 'demo' | 'start', password: string, pictures: [string, Show][]) {
  if (pictures.length === 0) return
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-pictures-'))
  const server = Bun.spawn([findBun(), program, command], {
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, ROOT_PASSWORD: password },
    stdout: 'pipe',
  })
  try {
    const url = await addressIn(server.stdout)
    for (const language of ['zh', 'en'] as const) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await signedIn(browser, { url, password, colorScheme, language })
        for (const [name, show] of pictures) {
          await show(page)
          // The frame loads separately, and may be later than the page.
          await page.getByRole('navigation', { name: /^(主菜单|Main menu)$/ }).waitFor()
          // Some parts wait for the first interaction.
          await page.mouse.move(2, 2)
          // What is further down loads when it comes into view.
          await page.waitForFunction(() =>
            [...document.querySelectorAll('.mantine-Skeleton-root')].every(
              (box) => box.getBoundingClientRect().top >= innerHeight,
            ),
          )
          await keep(page, join(FOLDER, `${name}-${language}-${colorScheme}.webp`))
        }
        await page.context().close()
      }
    }
  } finally {
    server.kill('SIGTERM')
    await server.exited
    rmSync(dataDir, { recursive: true, force: true })
  }
}

interface Look {
  url: string
  password: string
  colorScheme: 'light' | 'dark'
  language: 'zh' | 'en'
}

async function signedIn(opened: Browser, { url, password, colorScheme, language }: Look) {
  const context = await opened.newContext({
    ...{ baseURL: url, colorScheme, viewport: PICTURE_SIZE, reducedMotion: 'reduce' },
    storageState: {
      cookies: [],
      origins: [{ origin: url, localStorage: [{ name: 'locale', value: LOCALES[language] }] }],
    },
  })
  const page = await context.newPage()
  await page.goto('/login')
  await page.locator('input[autocomplete=username]').fill('root')
  await page.locator('input[type=password]').fill(password)
  await page.locator('button[type=submit]').click()
  await page.waitForURL(/\/(token|user\/edit)/)
  // It is part of sample calls; this server's port differs each time.
  await page.request.put('/api/option/', { data: { key: 'ServerAddress', value: 'https://gateway.example.com' } })
  return page
}

/** As WebP, a third of the size of PNG, the only format of the browser's screenshots: its canvas supports both. */
async function keep(page: Page, path: string) {
  const png = (await page.screenshot({ animations: 'disabled' })).toString('base64')
  const drawing = await page.context().newPage()
  const address = await drawing.evaluate(async (shot) => {
    const picture = new Image()
    picture.src = `data:image/png;base64,${shot}`
    await picture.decode()
    const canvas = document.createElement('canvas')
    canvas.width = picture.width
    canvas.height = picture.height
    canvas.getContext('2d')?.drawImage(picture, 0, 0)
    return canvas.toDataURL('image/webp', 0.85)
  }, png)
  await drawing.close()
  await Bun.write(path, Buffer.from(address.split(',')[1] ?? '', 'base64'))
}

/** The URL that the server prints once it is ready. */
async function addressIn(stdout: ReadableStream<Uint8Array>) {
  const decoder = new TextDecoder()
  let said = ''
  for await (const piece of stdout) {
    said += decoder.decode(piece, { stream: true })
    const found = /(?:listens on|demo:) http:\/\/[^:]+:(\d+)/.exec(said)
    if (found !== null) return `http://127.0.0.1:${found[1]}`
  }
  throw new Error(`The server did not start:\n${said}`)
}
