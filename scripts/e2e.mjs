// `npm run e2e`: the browser tests alone; with `-- --slow` in a browser that is six times slower than the machine. Other
// arguments after `--` go to Playwright.
import { ensurePackages } from './lib/packages.mjs'
import { script } from './lib/run.mjs'
import { hasBrowserTests, runBrowserTests } from './lib/suites.mjs'

await script(async () => {
  if (!hasBrowserTests()) throw new Error('There are no browser tests: e2e/playwright.config.ts is missing.')
  await ensurePackages()
  const asked = process.argv.slice(2)
  const args = asked.filter((arg) => arg !== '--slow')
  const env = args.length < asked.length ? { E2E_SLOW: 'yes' } : {}
  const { failed, complaints } = await runBrowserTests({ env, args })
  for (const complaint of complaints) console.error(complaint)
  return failed === 0 ? 0 : 1
})
