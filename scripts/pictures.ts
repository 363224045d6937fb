// `npm run pictures`: the pictures of the README, taken from the demo in the system's Chromium, light and dark. The history of the
// demo is made anew each time, so that the pictures change whenever they are taken; they are committed by hand.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { ensureConsole } from './lib/console-build.mjs'
import { findBun } from './lib/packages.mjs'
import { ROOT } from './lib/run.mjs'
import { ensureServer } from './lib/server-build.mjs'
import { ensureSystem } from './lib/system.mjs'

const FOLDER = join(ROOT, 'docs', 'pictures')
const SIZE = { width: 1280, height: 800 }

/** What each picture shows, and what has to be there before it is taken. */
const PICTURES: Record<string, (page: Page) => Promise<void>> = {
  home: async (page) => {
    await page.goto('/')
    await page.locator('.recharts-surface').first().waitFor()
  },
  call: async (page) => {
    await page.goto('/log?type=2')
    await page.getByRole('row').nth(3).click()
    await page.getByRole('dialog').getByText('Price', { exact: false }).first().waitFor()
  },
  channel: async (page) => {
    await page.goto('/channel/edit/2')
    await page.getByRole('heading', { level: 2 }).first().waitFor()
  },
}

await ensureConsole()
const program = await ensureServer()
const system = await ensureSystem(['chromium', 'cjkFont'])
const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-pictures-'))
const server = Bun.spawn([findBun(), program, 'demo'], {
  env: { ...process.env, PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir },
  stdout: 'pipe',
})
const browser = await chromium.launch({ executablePath: system.chromium, args: ['--no-sandbox'] })
try {
  const { url, password } = await started(server.stdout)
  mkdirSync(FOLDER, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await signedIn(browser, { url, password, colorScheme })
    for (const [name, show] of Object.entries(PICTURES)) {
      await show(page)
      // The frame comes by itself, and may be later than the page.
      await page.getByRole('navigation').first().waitFor()
      await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}.png`), animations: 'disabled' })
    }
  }
} finally {
  await browser.close()
  server.kill('SIGTERM')
  await server.exited
  rmSync(dataDir, { recursive: true, force: true })
}

async function signedIn(
  opened: Browser,
  { url, password, colorScheme }: { url: string; password: string; colorScheme: 'light' | 'dark' },
) {
  const context = await opened.newContext({ baseURL: url, colorScheme, viewport: SIZE, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.addInitScript(() => localStorage.setItem('locale', 'en'))
  await page.goto('/login')
  await page.getByRole('textbox', { name: /^Username/ }).fill('root')
  await page.locator('input[type=password]').fill(password)
  await page.locator('button[type=submit]').click()
  await page.waitForURL(/\/(token|user\/edit)/)
  return page
}

/** The address and the password that the demo prints once it serves. */
async function started(stdout: ReadableStream<Uint8Array>) {
  const decoder = new TextDecoder()
  let said = ''
  for await (const piece of stdout) {
    said += decoder.decode(piece, { stream: true })
    const found = /demo: http:\/\/[^:]+:(\d+).*password (\S+?)"/.exec(said)
    if (found !== null) return { url: `http://127.0.0.1:${found[1]}`, password: found[2] ?? '' }
  }
  throw new Error(`The demo did not start:\n${said}`)
}
