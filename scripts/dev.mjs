// `npm run dev`: the server from its sources, restarted when a file changes, and the console with hot reload at
// http://localhost:5173, which passes its calls on. Flags after `--` go to the server.
import { ensurePackages, findBun } from './lib/packages.mjs'
import { run, script } from './lib/run.mjs'

await script(async () => {
  await ensurePackages()
  const server = [...['--watch', 'packages/server/src/main.ts', 'start'], ...process.argv.slice(2)]
  const codes = await Promise.all([
    run(findBun(), server),
    run(findBun(), ['--bun', 'node_modules/vite/bin/vite.js', 'packages/console']),
  ])
  return codes.find((code) => code !== 0) ?? 0
})
