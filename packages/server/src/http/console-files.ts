import { existsSync } from 'node:fs'
import { join, normalize, sep } from 'node:path'
import type { Language } from '../common/errors.ts'

/** Scripts come only from here or from the human check; frames may show what the operator linked to. */
const policy = (connect: string) =>
  [
    "default-src 'self'",
    "script-src 'self' https://challenges.cloudflare.com",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: https:",
    `connect-src ${connect}`,
    'frame-src https:',
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

const pageHeaders = (connect: string) => ({
  'content-security-policy': policy(connect),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  // Our own server may see the page, which proves that a call comes from it; nobody else learns anything.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
})

/** The single page names the files of its build, so it is always revalidated. */
const PAGE = { 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' }

const NO_CONSOLE = `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><title>Tollgate</title>
<body style="font-family:system-ui;max-width:36rem;margin:15vh auto;padding:0 1rem;line-height:1.6">
<h1>Tollgate</h1><p>服务正在运行，控制台尚未构建。接口文档见 <a href="/docs">/docs</a>。</p>
<p lang="en">The server is running. The console has not been built; the API is described at <a href="/docs">/docs</a>.</p>`

interface ConsoleFilesOptions {
  /** Allows the console to connect to GitHub. */
  looksForReleases?: boolean
  /** The language of the page for a browser without a chosen one. */
  languageFor?(request: Request): Language
}

/** The built console: its files, and its single page for every other path. */
export const createConsoleFiles = (
  folder: string,
  { looksForReleases = false, languageFor }: ConsoleFilesOptions = {},
) => {
  const built = existsSync(join(folder, 'index.html'))
  const common = pageHeaders(looksForReleases ? "'self' https://api.github.com" : "'self'")
  const english = englishPage(folder)

  return async (request: Request): Promise<Response> => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return new Response(null, { status: 405, headers: common })
    if (!built) return new Response(NO_CONSOLE, { headers: { ...common, ...PAGE } })
    const { pathname } = new URL(request.url)
    const file = (await fileAt(folder, pathname)) ?? (await fileAt(folder, `${pathname}.gz`))
    if (file === undefined) {
      // Known from the first byte on: otherwise the console would first appear in the other language.
      if (languageFor?.(request) === 'en') return english(request, { ...common, ...PAGE })
      return compressed(request, folder, '/index.html', { ...common, ...PAGE })
    }
    // Names under /assets contain a content hash, so they never change.
    const cache = pathname.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
    return compressed(request, folder, pathname, {
      ...common,
      'cache-control': cache,
      'content-type': Bun.file(pathname).type,
    })
  }
}

/** The same page in English, made on first request. */
function englishPage(folder: string) {
  let made: Promise<{ plain: string; gzip: Uint8Array<ArrayBuffer> }> | undefined
  const make = async () => {
    const page = await Bun.file(join(folder, 'index.html')).text()
    const plain = page.replace('<html lang="zh-CN">', '<html lang="en">')
    return { plain, gzip: Bun.gzipSync(plain) }
  }
  return async (request: Request, more: Record<string, string>) => {
    made ??= make()
    const { plain, gzip } = await made
    const headers = { ...more, vary: VARY }
    if (!takesGzip(request)) return new Response(plain, { headers })
    return new Response(gzip, { headers: { ...headers, 'content-encoding': 'gzip' } })
  }
}

const VARY = 'accept-encoding, accept-language'
const takesGzip = (request: Request) => request.headers.get('accept-encoding')?.includes('gzip') === true

async function fileAt(folder: string, pathname: string) {
  const path = normalize(join(folder, decoded(pathname)))
  if (!path.startsWith(folder + sep) || path.endsWith(sep)) return undefined
  const file = Bun.file(path)
  return (await file.exists()) ? file : undefined
}

/** A path that cannot be a file name gets the page. */
function decoded(pathname: string) {
  try {
    const path = decodeURIComponent(pathname)
    return path.includes('\0') ? '/' : path
  } catch {
    return '/'
  }
}

/** The build leaves a `.gz` beside each text file; the executable has that alone. */
async function compressed(request: Request, folder: string, pathname: string, more: Record<string, string>) {
  const headers = { ...more, vary: pathname === '/index.html' ? VARY : 'accept-encoding' }
  const gzip = await fileAt(folder, `${pathname}.gz`)
  if (gzip === undefined) return new Response(await fileAt(folder, pathname), { headers })
  if (takesGzip(request)) return new Response(gzip, { headers: { ...headers, 'content-encoding': 'gzip' } })
  return new Response((await fileAt(folder, pathname)) ?? Bun.gunzipSync(await gzip.bytes()), { headers })
}
