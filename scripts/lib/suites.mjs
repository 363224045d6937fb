import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { ensureConsole } from './console-build.mjs'
import { filesUnder } from './files.mjs'
import { findBun } from './packages.mjs'
import { ROOT, run } from './run.mjs'
import { ensureServer } from './server-build.mjs'
import { ensureSystem } from './system.mjs'
import { tallyJunit, tallyPlaywright } from './tally.mjs'

/**
 * All tests except the browser's, or those that `args` select (paths, parts of names, Bun's own flags).
 *
 * @param {{ env: Record<string, string>, args?: string[], after?: Promise<unknown> }} needs `after`: see `run`
 */
export function runBunTests({ env, args = [], after }) {
  return withReport('junit.xml', async (report) => {
    const reporter = ['--reporter=junit', `--reporter-outfile=${report}`]
    const exitCode = await run(
      findBun(),
      ['test', '--timeout=60000', '--path-ignore-patterns=e2e/**', ...reporter, ...args],
      { env, ...(after !== undefined && { after }) },
    )
    return tallyJunit({
      xml: readIfThere(report),
      exitCode,
      files: args.length === 0 ? testFiles() : [],
      skipsAllowed: args.some((arg) => arg === '-t' || arg.startsWith('--test-name-pattern')),
    })
  })
}

/** True when the project has browser tests. */
export const hasBrowserTests = () => existsSync(join(ROOT, 'e2e', 'playwright.config.ts'))

/**
 * The browser stories against the built product, in the system's Chromium: Playwright's own download is not needed.
 *
 * @param {{ env?: Record<string, string>, args?: string[] }} needs
 */
export async function runBrowserTests({ env = {}, args = [] }) {
  const { chromium } = await ensureSystem(['chromium', 'cjkFont'])
  await ensureConsole()
  await ensureServer()
  return withReport('playwright.json', async (report) => {
    const playwright = ['node_modules/@playwright/test/cli.js', 'test', '--config=e2e/playwright.config.ts']
    const exitCode = await run(process.execPath, [...playwright, '--reporter=list,json', ...args], {
      env: { ...env, CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    })
    return tallyPlaywright({ json: readIfThere(report), exitCode })
  })
}

/**
 * @param {string} name
 * @param {(report: string) => Promise<import('./tally.mjs').Tally>} suite
 */
async function withReport(name, suite) {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-report-'))
  try {
    return await suite(join(folder, name))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Every test file but the browser's, from the project's root. */
export function testFiles() {
  return ['packages', 'scripts', 'bench']
    .flatMap((folder) => filesUnder(join(ROOT, folder)))
    .filter((file) => /\.test\.tsx?$/.test(file))
    .map((file) => relative(ROOT, file))
}

/** @param {string} path */
const readIfThere = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined)
