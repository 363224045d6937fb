// `npm run dev`: the server from its sources, restarted when a file changes, and the console with hot reload at
// http://localhost:5173, which passes its calls on. Flags after `--` go to the server.
import { parseArgs } from 'node:util'
import { ensurePackages, findBun } from './lib/packages.mjs'
import { run, script } from './lib/run.mjs'
import { isPortFree } from './lib/service.mjs'

await script(async () => {
  const flags = process.argv.slice(2)
  const { values } = parseArgs({ args: flags, options: { port: { type: 'string' } }, strict: false })
  const port = Number(values.port ?? process.env.PORT ?? 3000)
  if (!(await isPortFree(port)))
    throw new Error(
      `Port ${port} is in use. Stop the program there, or choose another port: npm run dev -- --port ${port + 1}`,
    )
  await ensurePackages()
  const codes = await Promise.all([
    run(findBun(), ['--watch', 'packages/server/src/main.ts', 'start', ...flags]),
    run(findBun(), ['--bun', 'node_modules/vite/bin/vite.js', 'packages/console'], {
      env: { SERVER_ADDRESS: `http://localhost:${port}` },
    }),
  ])
  return codes.find((code) => code !== 0) ?? 0
})
