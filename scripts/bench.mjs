// `npm run bench`: every benchmark in bench/, one after the other, so that none measures its neighbour.
// `npm run bench -- relay` runs the one of that name.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureConsole } from './lib/console-build.mjs'
import { ensurePackages, findBun } from './lib/packages.mjs'
import { ROOT, run, script } from './lib/run.mjs'

// Bun's HTTP client otherwise allows 256 concurrent requests, and a benchmark of 4,000 streams is a client too.
process.env.BUN_CONFIG_MAX_HTTP_REQUESTS = '65535'

await script(async () => {
  await ensurePackages()
  await ensureConsole()
  const names = process.argv.slice(2)
  const folder = join(ROOT, 'bench')
  const all = existsSync(folder) ? readdirSync(folder).filter((file) => /^[^.]+\.ts$/.test(file)) : []
  const chosen = all.filter((file) => names.length === 0 || names.includes(file.slice(0, -'.ts'.length)))
  if (chosen.length === 0) throw new Error(`There is no benchmark ${names.join(', ')} in bench/.`)
  for (const file of chosen) {
    const code = await run(findBun(), [join('bench', file)])
    if (code !== 0) return code
  }
  return 0
})
