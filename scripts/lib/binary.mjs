import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findBun } from './packages.mjs'
import { ROOT, run } from './run.mjs'

/** The supported platforms, and the package of each one's runtime. */
export const PLATFORMS = {
  'linux-x64': '@oven/bun-linux-x64',
  'linux-arm64': '@oven/bun-linux-aarch64',
  'darwin-x64': '@oven/bun-darwin-x64',
  'darwin-arm64': '@oven/bun-darwin-aarch64',
}

/** @typedef {keyof typeof PLATFORMS} Platform */

/** @returns {Platform} */
export const thisPlatform = () => /** @type {Platform} */ (`${process.platform}-${process.arch}`)

const OUTPUT = join(ROOT, 'dist')
const RUNTIMES = join(ROOT, '.cache', 'runtimes')
/** Each keeps its name inside the executable: the program, and its worker threads. */
const ENTRIES = [
  'packages/server/src/main.ts',
  'packages/server/src/ledger/audit/audit-worker.ts',
  'packages/server/src/ledger/stores/checkpoint-worker.ts',
]

/**
 * One file with the server, its runtime, the built console and the guide. Returns its path.
 *
 * @param {Platform} platform
 */
export async function buildBinary(platform) {
  mkdirSync(OUTPUT, { recursive: true })
  const outfile = join(OUTPUT, `tollgate-${platform}`)
  const flags = [
    '--compile',
    // Precompiled: without it a third of the start goes into parsing the sources.
    '--bytecode',
    '--format=esm',
    // Saves a megabyte and a half of indentation and some shorter forms; names stay, so that stacks are readable.
    '--minify-whitespace',
    '--minify-syntax',
    '--entry-naming=[name].[ext]',
    // Files in the folder where it is started are not ours to read.
    '--no-compile-autoload-dotenv',
    '--no-compile-autoload-bunfig',
    `--asset=${compressedConsole()}`,
    '--asset=docs/guide',
    '--asset=docs/pictures',
    `--compile-executable-path=${await runtimeOf(platform)}`,
    `--target=bun-${platform}`,
    `--outfile=${outfile}`,
  ]
  const code = await run(findBun(), ['build', ...flags, ...ENTRIES], { quiet: true })
  if (code !== 0) throw new Error(`The executable for ${platform} could not be built; the reason is above.`)
  return outfile
}

/** The built console without what the server can make from the rest: two of its four megabytes. Returns the folder. */
function compressedConsole() {
  const folder = join(ROOT, '.cache', 'executable', 'dist')
  rmSync(folder, { recursive: true, force: true })
  cpSync(join(ROOT, 'packages', 'console', 'dist'), folder, {
    recursive: true,
    filter: (file) => basename(file) !== '.vite' && (basename(file) === 'index.html' || !existsSync(`${file}.gz`)),
  })
  return folder
}

/**
 * The runtime of another platform is in the npm registry too, but npm installs only the local one.
 *
 * @param {Platform} platform
 */
async function runtimeOf(platform) {
  if (platform === thisPlatform()) return findBun()
  const name = PLATFORMS[platform]
  const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules', 'bun', 'package.json'), 'utf8'))
  const folder = join(RUNTIMES, `${platform}-${version}`)
  const runtime = join(folder, 'bin', 'bun')
  if (existsSync(runtime)) return runtime

  const unpacked = `${folder}.part`
  rmSync(unpacked, { recursive: true, force: true })
  mkdirSync(unpacked, { recursive: true })
  const pack = ['pack', `${name}@${version}`, '--pack-destination', unpacked, '--json', '--loglevel=error']
  const [archive] = JSON.parse(execFileSync('npm', pack, { cwd: ROOT, encoding: 'utf8' }))
  execFileSync('tar', ['-xzf', join(unpacked, archive.filename), '-C', unpacked, '--strip-components=1'])
  rmSync(join(unpacked, archive.filename))
  renameSync(unpacked, folder)
  return runtime
}
