import type { Import, SourceFile } from './source-tree.ts'

// The vocabulary of the import rules.

export const SERVER = 'packages/server/src/'
export const CONSOLE = 'packages/console/src/'

type Named = Pick<SourceFile, 'path'>
type Pattern = string | RegExp

export const inPackage = (file: Named, name: string) => file.path.startsWith(`packages/${name}/`)
export const isIn = (file: Named, base: string, ...folders: string[]) =>
  folders.some((folder) => file.path.startsWith(base + folder))
export const isNamed = (file: Named, base: string, ending: string) =>
  file.path.startsWith(base) && file.path.endsWith(ending)
export const isForTests = (file: Named) => /\.test\.tsx?$/.test(file.path) || file.path.includes('/testing/')
export const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'))
/** Includes client libraries, with which tests read what callers receive. */
export const testTools = (file: Named): Pattern[] =>
  isForTests(file) ? ['bun:test', 'fast-check', /^node:/, /^@ai-sdk\//] : []

/** A package name covers its subpaths: `hono` is also `hono/cookie`. */
export const isOneOf = ({ specifier }: Import, ...patterns: (Pattern | Pattern[])[]) =>
  patterns
    .flat()
    .some((pattern) =>
      typeof pattern === 'string'
        ? specifier === pattern || specifier.startsWith(`${pattern}/`)
        : pattern.test(specifier),
    )

export const packageMeant = ({ specifier, target }: Import) =>
  /^(?:@tollgate|packages)\/([\w-]+)/.exec(target ?? specifier)?.[1] ?? ''
export const isLocal = (file: Named, item: Import) =>
  item.specifier.startsWith('.') && packageMeant(item) === file.path.split('/')[1]

export const mayTouchSql = (file: Named) =>
  isNamed(file, SERVER, '-repository.ts') || isIn(file, SERVER, 'ledger/', 'database/') || isForTests(file)
/** The demo is a client of its own server. */
export const mayCallOut = (file: Named) =>
  [`${SERVER}upstream/http1/tcp-socket.ts`, `${SERVER}upstream/sockets.ts`].includes(file.path) ||
  isIn(file, SERVER, 'integrations/', 'demo/') ||
  isIn(file, CONSOLE, 'api/') ||
  isForTests(file)

/** `features/tokens`, `api`, …; two features are two modules. */
export function consoleModule(path: string) {
  const [module = '', feature = ''] = path.slice(CONSOLE.length).split('/')
  if (feature === '') return 'app'
  return module === 'features' ? `features/${feature}` : module
}

/** `relay`, `ledger`, …; empty outside the server, and for the wiring directly in its `src`. */
export function serverModule(path: string) {
  const [module = '', rest = ''] = path.startsWith(SERVER) ? path.slice(SERVER.length).split('/') : []
  return rest === '' ? '' : module
}
