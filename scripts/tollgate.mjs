#!/usr/bin/env node
// `tollgate <command>`: installs what is missing, builds what has changed, and runs the command. Plain Node, because before
// the first install there is nothing else. `npm start`, `npm run demo` and `npm run audit` are this, and flags after
// `--` go to the server: `npm start -- --port 4000`.
import { ensureConsole } from './lib/console-build.mjs'
import { ensurePackages, findBun } from './lib/packages.mjs'
import { run, script } from './lib/run.mjs'
import { ensureServer } from './lib/server-build.mjs'

await script(async () => {
  await ensurePackages('serving')
  const words = process.argv.slice(2)
  if (words[0] === 'start' || words[0] === 'demo') await ensureConsole()
  return run(findBun(), [await ensureServer(), ...words])
})
