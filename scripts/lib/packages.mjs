import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, run } from './run.mjs'

const MODULES = join(ROOT, 'node_modules')

/**
 * Installs the packages unless node_modules already matches the lockfile: what serving needs, or everything for development. No install
 * script of a package runs: none is needed, and it would be a third party's program with this user's rights.
 *
 * @param {'serving' | 'everything'} purpose
 */
export async function ensurePackages(purpose = 'everything') {
  const locked = packagesIn(join(ROOT, 'package-lock.json'))
  if (locked !== undefined && isInstalled(locked, purpose)) return

  // Development packages are explicitly included or omitted, because NODE_ENV would decide otherwise.
  const wanted = purpose === 'serving' ? '--omit=dev' : '--include=dev'
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', wanted]
  if (locked === undefined) console.log('There is no package-lock.json: installing the newest versions allowed.')
  console.log(`Installing packages, about ${purpose === 'serving' ? 'a quarter of a' : 'half a'} minute...`)
  const code = await run('npm', [locked === undefined ? 'install' : 'ci', ...flags])
  if (code !== 0) throw new Error('The packages could not be installed; npm says why above.')
}

/**
 * The Bun executable in node_modules. Its package moves it to `bun/bin` in an install script where those are allowed; otherwise it stays
 * in the package of this platform, and `bun/bin` has a stub that only prints an error.
 */
export function findBun() {
  const vendor = join(MODULES, '@oven')
  const platforms = existsSync(vendor) ? readdirSync(vendor).sort(byLibc) : []
  const places = [
    join(MODULES, 'bun', 'bin', 'bun.exe'),
    ...platforms.flatMap((name) => [join(vendor, name, 'bin', 'bun'), join(vendor, name, 'bin', 'bun.exe')]),
  ]
  const found = places.find((place) => existsSync(place) && statSync(place).size > 1_000_000)
  if (found === undefined) {
    throw new Error(
      `Bun is not in node_modules for ${process.platform} ${process.arch}. Delete node_modules, try again.`,
    )
  }
  return found
}

/**
 * npm records what it installed; the record is written last, so a broken install has none. Optional packages may be absent, mostly
 * those of other platforms.
 *
 * @typedef {Record<string, { version?: string, optional?: boolean, dev?: boolean, devOptional?: boolean }>} Packages
 * @param {Packages} locked
 * @param {'serving' | 'everything'} purpose
 */
function isInstalled(locked, purpose) {
  const installed = packagesIn(join(MODULES, '.package-lock.json'))
  if (installed === undefined) return false
  return Object.entries(locked).every(([path, wanted]) => {
    const present = installed[path]
    if (present !== undefined) return present.version === wanted.version
    if (path === '' || wanted.optional === true) return true
    return purpose === 'serving' && (wanted.dev === true || wanted.devOptional === true)
  })
}

/**
 * @param {string} lockfile
 * @returns {Packages | undefined}
 */
function packagesIn(lockfile) {
  return existsSync(lockfile) ? JSON.parse(readFileSync(lockfile, 'utf8')).packages : undefined
}

/**
 * Older npm installs both Linux builds, for glibc and for musl: the matching one comes first.
 *
 * @param {string} a
 * @param {string} b
 */
function byLibc(a, b) {
  const onMusl = existsSync('/etc/alpine-release')
  return (Number(a.endsWith('musl')) - Number(b.endsWith('musl'))) * (onMusl ? -1 : 1)
}
