import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import lighthouse, { desktopConfig } from 'lighthouse'
import { startGateway } from './lib/gateway.ts'

/** What Lighthouse says of the login page and the token list, on the desktop preset. */
const GOALS = { performance: 95, accessibility: 100, 'best-practices': 100 }
/** What the performance is made of: printed, so that a missed goal says where to look. */
const FIGURES = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'speed-index',
  'total-blocking-time',
  'cumulative-layout-shift',
]
const PORT = 9333

const gateway = await startGateway(4712, 'http://127.0.0.1:9')
const profile = mkdtempSync(join(tmpdir(), 'tollgate-lighthouse-'))
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: [`--remote-debugging-port=${PORT}`, '--no-sandbox'],
})
let missed = 0

const judge = async (path: string) => {
  const result = await lighthouse(
    gateway.url + path,
    { port: PORT, disableStorageReset: true, onlyCategories: Object.keys(GOALS), logLevel: 'error' },
    desktopConfig,
  )
  for (const [name, goal] of Object.entries(GOALS)) {
    const score = Math.round((result?.lhr.categories[name]?.score ?? 0) * 100)
    if (score < goal) missed++
    console.log(`${path} ${name}: ${score}, goal ${goal}${score < goal ? ' MISSED' : ''}`)
  }
  const figures = FIGURES.map((name) => `${name} ${result?.lhr.audits[name]?.displayValue}`)
  console.log(`${path} ${figures.join(', ')}`)
}

await judge('/login')
const page = await browser.newPage()
await page.goto(`${gateway.url}/login`)
await page.locator('input[autocomplete="username"]').fill('root')
await page.locator('input[type="password"]').fill('bench-password')
await page.keyboard.press('Enter')
await page.waitForURL('**/token')
// The session stays, the files go: the page is judged as someone sees it who opens it for the first time.
await (await browser.newCDPSession(page)).send('Network.clearBrowserCache')
await page.close()
await judge('/token')

await browser.close()
await gateway.stop()
rmSync(profile, { recursive: true, force: true })
process.exit(missed === 0 ? 0 : 1)
