// `npm run check`: lockfile, types, lint, import rules, tidiness, dead code, generated documents, the guide, spec coverage. With names after `--` only those.
import { runChecks } from './lib/checks.mjs'
import { ensurePackages } from './lib/packages.mjs'
import { script } from './lib/run.mjs'

await script(async () => {
  await ensurePackages()
  const { failed } = await runChecks(process.argv.slice(2))
  return failed === 0 ? 0 : 1
})
