// `npm run build`: the console's files in packages/console/dist, where the server finds them.
import { ensureConsole } from './lib/console-build.mjs'
import { ensurePackages } from './lib/packages.mjs'
import { script } from './lib/run.mjs'

await script(async () => {
  await ensurePackages()
  await ensureConsole()
})
