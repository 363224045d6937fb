// `npm run build`: the console's files in packages/console/dist, where the server finds them, and the server itself in
// packages/server/dist.
import { ensureConsole } from './lib/console-build.mjs'
import { ensurePackages } from './lib/packages.mjs'
import { script } from './lib/run.mjs'
import { ensureServer } from './lib/server-build.mjs'

await script(async () => {
  await ensurePackages('serving')
  await ensureConsole()
  await ensureServer()
})
