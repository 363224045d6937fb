import { defineConfig } from '@playwright/test'
import { SLOWNESS } from './support/slow.ts'

/* Browser tests in the system's Chromium against the built console and the built server; `npm run e2e` builds first. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: './test-results',
  fullyParallel: true,
  workers: 2,
  // Upper bounds for what never happens, far above what a slow machine needs.
  timeout: 240_000 * SLOWNESS,
  expect: { timeout: 60_000 * SLOWNESS },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    timezoneId: 'Asia/Shanghai',
    actionTimeout: 60_000 * SLOWNESS,
    // A test waits until the target of a click is open, not until it has faded in.
    contextOptions: { reducedMotion: 'reduce' },
    trace: process.env.TRACE === undefined ? 'off' : 'retain-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell',
      args: ['--no-sandbox'],
    },
  },
})
