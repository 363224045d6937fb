// `npm run bills`: every case of the suite of bills as a line: the call, what it has to cost, what was charged, in quota, and
// where the list price is published. Ends like the tests.
import { ensurePackages, findBun } from './lib/packages.mjs'
import { run, script } from './lib/run.mjs'

await script(async () => {
  await ensurePackages()
  return run(findBun(), ['test', 'packages/server/src/relay/bills'], { env: { BILLS: 'print' } })
})
