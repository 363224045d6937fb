// `npm run build:binary`: Tollgate as one executable file, in `dist`, for this platform, or for those named after `--`:
// `npm run build:binary -- linux-x64 linux-arm64 darwin-x64 darwin-arm64`, or `-- all`. Beside it, its checksums.
import { createHash } from 'node:crypto'
import { createReadStream, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { buildBinary, PLATFORMS, thisPlatform } from './lib/binary.mjs'
import { ensureConsole } from './lib/console-build.mjs'
import { ensurePackages } from './lib/packages.mjs'
import { script } from './lib/run.mjs'

await script(async () => {
  const known = Object.keys(PLATFORMS)
  const named = process.argv.slice(2)
  const wanted = named.length === 0 ? [thisPlatform()] : named[0] === 'all' ? known : named
  const unknown = wanted.find((platform) => !known.includes(platform))
  if (unknown !== undefined) throw new Error(`There is no executable for ${unknown}. There are ${known.join(', ')}.`)

  await ensurePackages('serving')
  await ensureConsole()
  /** @type {string[]} */
  const files = []
  for (const platform of /** @type {import('./lib/binary.mjs').Platform[]} */ (wanted)) {
    const file = await buildBinary(platform)
    console.log(`${file} (${(statSync(file).size / 1e6).toFixed(0)} MB)`)
    files.push(file)
  }
  const sums = await Promise.all(files.map(async (file) => `${await sha256(file)}  ${basename(file)}\n`))
  writeFileSync(join(dirname(files[0] ?? ''), 'SHA256SUMS'), sums.join(''))
})

/** @param {string} file */
async function sha256(file) {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(file)) hash.update(piece)
  return hash.digest('hex')
}
