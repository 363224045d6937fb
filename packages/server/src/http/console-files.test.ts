import { expect, onTestFinished, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConsoleFiles } from './console-files.ts'

const SECRET = 'not for the world'

/** A built console beside a file that must not be served. */
function builtConsole(options: Parameters<typeof createConsoleFiles>[1] = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-console-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const dist = join(folder, 'dist')
  mkdirSync(join(dist, 'assets'), { recursive: true })
  mkdirSync(join(folder, 'dist-other'))
  writeFileSync(join(folder, 'secret.txt'), SECRET)
  writeFileSync(join(folder, 'dist-other', 'secret.txt'), SECRET)
  writeFileSync(join(dist, 'index.html'), '<html lang="zh-CN"><title>console</title>')
  writeFileSync(join(dist, 'index.html.gz'), Bun.gzipSync('<html lang="zh-CN"><title>console</title>'))
  writeFileSync(join(dist, 'logo.png'), 'a picture')
  writeFileSync(join(dist, 'assets', 'app-1234.js'), 'let application')
  writeFileSync(join(dist, 'assets', 'app-1234.js.gz'), Bun.gzipSync('let application'))
  writeFileSync(join(dist, 'assets', 'small-1234.css'), 'body{}')
  writeFileSync(join(dist, 'assets', 'only-1234.js.gz'), Bun.gzipSync('let compressed'))
  const files = createConsoleFiles(dist, options)
  return (path: string, init: RequestInit = {}) => files(new Request(`http://gateway.test${path}`, init))
}

test('until the console is built, every page says so and links to the documentation [R0.01]', async () => {
  const files = createConsoleFiles('/nonexistent')
  for (const path of ['/', '/login', '/assets/app.js']) {
    const response = await files(new Request(`http://gateway.test${path}`))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toContain('<a href="/docs">/docs</a>')
  }
})

test('every path that is not a file is a page of the console, and is never cached', async () => {
  const get = builtConsole()
  for (const path of ['/', '/login', '/user/edit/5', '/oauth/github?code=x', '/assets', '/assets/', '/assets/old.js']) {
    const response = await get(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(await response.text()).toBe('<html lang="zh-CN"><title>console</title>')
  }
})

test('files with a hash in their name are cached forever, others for an hour', async () => {
  const get = builtConsole()
  const asset = await get('/assets/app-1234.js')
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(asset.headers.get('content-type')).toStartWith('text/javascript')
  expect(asset.headers.get('x-content-type-options')).toBe('nosniff')
  const logo = await get('/logo.png')
  expect(logo.headers.get('cache-control')).toBe('public, max-age=3600')
  expect(logo.headers.get('content-type')).toBe('image/png')
})

test('a file that exists only compressed is served to every client under its own name and type', async () => {
  const get = builtConsole()
  const zipped = await get('/assets/only-1234.js', { headers: { 'accept-encoding': 'gzip' } })
  expect(zipped.headers.get('content-encoding')).toBe('gzip')
  const plain = await get('/assets/only-1234.js')
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(await plain.text()).toBe('let compressed')
  for (const { headers } of [zipped, plain]) {
    expect(headers.get('content-type')).toStartWith('text/javascript')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  }
})

test('clients that accept gzip get the precompressed file', async () => {
  const get = builtConsole()
  const zipped = await get('/assets/app-1234.js', { headers: { 'accept-encoding': 'br, gzip' } })
  expect(zipped.headers.get('content-encoding')).toBe('gzip')
  expect(zipped.headers.get('content-type')).toStartWith('text/javascript')
  expect(zipped.headers.get('vary')).toBe('accept-encoding')
  expect(new TextDecoder().decode(Bun.gunzipSync(await zipped.bytes()))).toBe('let application')

  const page = await get('/token', { headers: { 'accept-encoding': 'gzip' } })
  expect(page.headers.get('content-encoding')).toBe('gzip')
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('cache-control')).toBe('no-cache')
  expect(new TextDecoder().decode(Bun.gunzipSync(await page.bytes()))).toBe('<html lang="zh-CN"><title>console</title>')

  const plain = await get('/assets/app-1234.js')
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(await plain.text()).toBe('let application')
  const small = await get('/assets/small-1234.css', { headers: { 'accept-encoding': 'gzip' } })
  expect(small.headers.get('content-encoding')).toBeNull()
  expect(await small.text()).toBe('body{}')
})

test('the console may call GitHub only if releases are checked', async () => {
  const connectOf = async (files: ReturnType<typeof createConsoleFiles>) =>
    /connect-src [^;]+/.exec(
      (await files(new Request('http://gateway.test/'))).headers.get('content-security-policy') ?? '',
    )?.[0]
  expect(await connectOf(createConsoleFiles('/nonexistent'))).toBe("connect-src 'self'")
  expect(await connectOf(createConsoleFiles('/nonexistent', { looksForReleases: true }))).toBe(
    "connect-src 'self' https://api.github.com",
  )
})

test('no path leads out of the folder', async () => {
  const get = builtConsole()
  const attempts = [
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/%2e%2e%2fdist-other%2fsecret.txt',
    '/..%5csecret.txt',
    '/%00../secret.txt',
    '/secret.txt%00.js',
    '/%252e%252e/secret.txt',
    '//etc/passwd',
    '/%ff',
  ]
  for (const path of attempts) {
    const response = await get(path)
    expect(response.status).toBeLessThan(500)
    expect(await response.text()).toBe('<html lang="zh-CN"><title>console</title>')
  }
})

test('pages are read-only: other methods are refused', async () => {
  const get = builtConsole()
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) expect((await get('/', { method })).status).toBe(405)
  expect((await get('/', { method: 'HEAD' })).status).toBe(200)
})

test('the page is sent in the language of the site, so that no other one is seen first', async () => {
  const get = builtConsole({ languageFor: ({ headers }) => (headers.get('accept-language') === 'en' ? 'en' : 'zh') })
  const english = { 'accept-language': 'en' }
  expect(await (await get('/login')).text()).toContain('<html lang="zh-CN">')
  const plain = await get('/login', { headers: english })
  expect(plain.headers.get('vary')).toBe('accept-encoding, accept-language')
  expect(plain.headers.get('content-security-policy')).toContain("script-src 'self'")
  expect(await plain.text()).toBe('<html lang="en"><title>console</title>')
  const small = await get('/', { headers: { ...english, 'accept-encoding': 'gzip' } })
  expect(small.headers.get('content-encoding')).toBe('gzip')
  expect(new TextDecoder().decode(Bun.gunzipSync(await small.bytes()))).toContain('<html lang="en">')
  expect(await (await get('/logo.png', { headers: english })).text()).toBe('a picture')
})
