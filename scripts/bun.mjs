// Runs the project's own Bun: `node scripts/bun.mjs <arguments>`. The `bun` in node_modules/.bin works only where
// install scripts were allowed to run.
import { ensurePackages, findBun } from './lib/packages.mjs'
import { run, script } from './lib/run.mjs'

await script(async () => {
  await ensurePackages()
  return run(findBun(), process.argv.slice(2))
})
