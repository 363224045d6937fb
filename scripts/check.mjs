// `npm run check`: lockfile, types, lint, import rules, tidiness, dead code, generated documents, the guide,
// spec coverage. With names after `--` only those.
import { runChecks } from './lib/checks.mjs'
import { ensurePackages } from './lib/packages.mjs'
import { script } from './lib/run.mjs'

await script(async () => {
  await ensurePackages()
  const { passed, failed, complaints } = await runChecks(process.argv.slice(2))
  if (failed === 0) return 0
  console.error(`\n${failed} of ${passed + failed} checks failed:\n${complaints.join('\n')}`)
  console.error('`npm run check -- <name>` runs one of them; `npm run fix` formats and applies safe fixes.')
  return 1
})
