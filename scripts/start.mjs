// `npm start`: installs what is missing, builds what has changed, serves. Plain Node, because before the first install
// there is nothing else. Flags after `--` go to the server: `npm start -- --port 4000`. `npm run demo` is the same with `demo`.
import { ensureConsole } from './lib/console-build.mjs'
import { ensurePackages, findBun } from './lib/packages.mjs'
import { run, script } from './lib/run.mjs'

await script(async () => {
  await ensurePackages()
  await ensureConsole()
  const words = process.argv.slice(2)
  const command = words[0] === 'demo' ? [] : ['start']
  return run(findBun(), ['packages/server/src/main.ts', ...command, ...words])
})
