import { afterAll, beforeAll, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildBinary, PLATFORMS, thisPlatform } from './lib/binary.mjs'
import { ensureConsole } from './lib/console-build.mjs'

/*
 * The executable without anything else: no Node, no packages, no sources. As root on Linux it runs in a root folder with only the file
 * and the C library, which every Linux has; otherwise in an empty folder with an empty environment.
 */

let folder = ''
let built = ''
let bare = false

beforeAll(async () => {
  await ensureConsole()
  built = await buildBinary(thisPlatform())
  folder = mkdtempSync(join(tmpdir(), 'tollgate-binary-'))
  copyFileSync(built, join(folder, 'tollgate'))
  chmodSync(join(folder, 'tollgate'), 0o755)
  bare = canChangeRoot()
  if (bare) for (const library of librariesOf(built)) copyInto(folder, library)
}, 180_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the executable is at most 130 MB, and there is one for each platform that has a runtime', () => {
  expect(statSync(built).size).toBeLessThan(130e6)
  expect(Object.keys(PLATFORMS)).toEqual(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'])
})

test('it serves the console, the guide, the management API and the relay from the one file, and its ledger adds up', async () => {
  const { url, stop } = await start(['start'])
  const page = await (await fetch(url)).text()
  expect(page).toContain('<div id="root">')
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1]
  for (const encoding of ['gzip', 'identity']) {
    const loaded = await fetch(`${url}${script}`, { headers: { 'accept-encoding': encoding } })
    expect(loaded.headers.get('content-type')).toContain('javascript')
    expect(await loaded.text()).toContain('import')
  }
  expect(await (await fetch(`${url}/api/status`)).json()).toMatchObject({ success: true })
  expect((await fetch(`${url}/v1/models`)).status).toBe(401)
  expect(await (await fetch(`${url}/docs/guide/en/billing`)).text()).toContain('3,121')
  expect((await fetch(`${url}/docs/pictures/home-zh-dark.webp`)).headers.get('content-type')).toBe('image/webp')
  const { port } = new URL(url)
  expect(await run(['health', '--port', port]).exited).toBe(0)
  expect(await stop()).toBe(0)
  expect(await run(['health', '--port', port]).exited).toBe(1)

  const audit = run(['audit'])
  expect(await new Response(audit.stdout).text()).toContain('The books add up')
  expect(await audit.exited).toBe(0)
}, 60_000)

test('the other commands are in it: help, reset-password, demo', async () => {
  expect(await new Response(run(['help']).stdout).text()).toContain('tollgate start')
  expect(await new Response(run(['reset-password', 'root']).stdout).text()).toContain('New password of root:')
  const demo = await start(['demo'])
  expect((await fetch(demo.url)).status).toBe(200)
  expect(await demo.stop()).toBe(0)
}, 60_000)

function run(args: string[]) {
  const env = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: bare ? '/data' : join(folder, 'data') }
  const program = bare ? inBareRoot(args) : [join(folder, 'tollgate'), ...args]
  return Bun.spawn(program, { cwd: folder, env, stdout: 'pipe', stderr: 'inherit' })
}

/** Until it listens. */
async function start(args: string[]) {
  const child = run(args)
  let said = ''
  for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
    said += piece
    const port = /(?:listens on|demo:) http:\/\/[^:]+:(\d+)/.exec(said)?.[1]
    if (port === undefined) continue
    return {
      url: `http://127.0.0.1:${port}`,
      stop: () => {
        child.kill('SIGTERM')
        return child.exited
      },
    }
  }
  throw new Error(`It did not start:\n${said}`)
}

/** In a separate mount namespace, so that the /proc that the runtime needs is unmounted with the process. */
function inBareRoot(args: string[]) {
  const enter = 'mkdir -p "$0/proc" && mount -t proc proc "$0/proc" && exec /usr/sbin/chroot "$0" /tollgate "$@"'
  return ['/usr/bin/unshare', '--mount', '/bin/sh', '-c', enter, folder, ...args]
}

function canChangeRoot() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  try {
    execFileSync('/usr/bin/unshare', ['--mount', '/bin/sh', '-c', 'mount -t proc proc /proc'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The libraries that the loader needs, as it reports them. */
function librariesOf(program: string) {
  const listed = execFileSync('/usr/bin/ldd', [program], { encoding: 'utf8' })
  return [...listed.matchAll(/(\/\S+) \(0x/g)].flatMap(([, path]) => path ?? [])
}

function copyInto(root: string, path: string) {
  mkdirSync(join(root, dirname(path)), { recursive: true })
  copyFileSync(path, join(root, path))
  chmodSync(join(root, path), 0o755)
}
