// `npm run e2e`: the browser's stories alone. What follows `--` goes to Playwright.
import { ensurePackages } from './lib/packages.mjs'
import { script } from './lib/run.mjs'
import { hasBrowserTests, runBrowserTests } from './lib/suites.mjs'

await script(async () => {
  if (!hasBrowserTests()) throw new Error('There are no browser tests: e2e/playwright.config.ts is missing.')
  await ensurePackages()
  const { failed, complaints } = await runBrowserTests({ args: process.argv.slice(2) })
  for (const complaint of complaints) console.error(complaint)
  return failed === 0 ? 0 : 1
})
