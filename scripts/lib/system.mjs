import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { run } from './run.mjs'

/**
 * Programs the tests need besides Node: how to find each, and the Debian package that provides it, or another if there is none.
 *
 * @typedef {{ says: string, debian: string, otherwise?: string, find: () => string | undefined }} Program
 * @type {Record<'postgres' | 'redis' | 'prometheus' | 'chromium' | 'cjkFont', Program>}
 */
const PROGRAMS = {
  postgres: {
    says: 'a PostgreSQL server (initdb and postgres)',
    debian: 'postgresql',
    find: () => findProgram(['initdb'], debianPostgresFolders()),
  },
  redis: { says: 'redis-server', debian: 'redis-server', find: () => findProgram(['redis-server']) },
  prometheus: { says: 'prometheus', debian: 'prometheus', find: () => findProgram(['prometheus']) },
  chromium: {
    says: 'Chromium',
    // The same browser without its windows opens a page in two thirds of the time.
    debian: 'chromium-headless-shell',
    otherwise: 'chromium',
    find: () =>
      findProgram(['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']),
  },
  cjkFont: {
    says: 'a font with Chinese characters',
    debian: 'fonts-noto-cjk',
    // Only Debian's location is checked: other systems include such a font with the desktop.
    find: () => (existsSync('/usr/bin/apt-get') ? existing('/usr/share/fonts/opentype/noto') : 'system'),
  },
}

/**
 * Returns the path of each program. Missing ones are installed if that is possible without a password, and otherwise named in one
 * sentence.
 *
 * @template {keyof typeof PROGRAMS} Name
 * @param {Name[]} names
 * @returns {Promise<Record<Name, string>>}
 */
export async function ensureSystem(names) {
  const missing = names.filter((name) => PROGRAMS[name].find() === undefined)
  if (missing.length > 0) await installWithApt(missing)
  const found = names.map((name) => [name, PROGRAMS[name].find()])
  return Object.fromEntries(found)
}

/** @param {(keyof typeof PROGRAMS)[]} names */
async function installWithApt(names) {
  const wanted = names.map((name) => PROGRAMS[name].says).join(', ')
  const asRoot = await rootPrefix()
  if (!existsSync('/usr/bin/apt-get') || asRoot === undefined) {
    const packages = names.map((name) => PROGRAMS[name].debian).join(' ')
    throw new Error(`The tests need ${wanted}. Please install it (on Debian: apt-get install ${packages}).`)
  }
  console.log(`Installing ${wanted} for the tests...`)
  const aptGet = [...asRoot, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q']
  // A stale package list may suffice, so only the install decides.
  await runAll(aptGet, ['update'])
  const packages = await Promise.all(names.map((name) => knownPackage(PROGRAMS[name])))
  const code = await runAll(aptGet, ['install', '-y', '--no-install-recommends', ...packages])
  const still = names.filter((name) => PROGRAMS[name].find() === undefined)
  if (code === 0 && still.length === 0) return
  throw new Error(`The tests need ${wanted}, and apt-get could not install it; it says why above.`)
}

/** @param {Program} program */
async function knownPackage({ debian, otherwise }) {
  if (otherwise === undefined) return debian
  return (await run('apt-cache', ['show', debian], { quiet: true })) === 0 ? debian : otherwise
}

/** The prefix to run a command as root; undefined when that requires a password. */
async function rootPrefix() {
  if (process.getuid?.() === 0) return []
  if (findProgram(['sudo']) === undefined) return undefined
  return (await run('sudo', ['-n', 'true'], { quiet: true })) === 0 ? ['sudo', '-n'] : undefined
}

/**
 * @param {string[]} prefix
 * @param {string[]} args
 */
function runAll([command = '', ...before], args) {
  return run(command, [...before, ...args], { quiet: true })
}

/**
 * @param {string[]} names
 * @param {string[]} [moreFolders]
 */
function findProgram(names, moreFolders = []) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...moreFolders]
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

/** Debian keeps the server's programs out of PATH, one folder per version; the newest comes first. */
function debianPostgresFolders() {
  const base = '/usr/lib/postgresql'
  if (!existsSync(base)) return []
  return readdirSync(base)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(base, version, 'bin'))
}

/** @param {string} path */
const existing = (path) => (existsSync(path) ? path : undefined)

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
