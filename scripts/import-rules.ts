// `npm run check -- imports`: what may import what, as one table. A finding names the file, the import and the rule.
import { cyclesIn } from './lib/cycles.ts'
import { moneyWrites } from './lib/money-writes.ts'
import { fetchCalls } from './lib/outbound-calls.ts'
import {
  CONSOLE,
  consoleModule,
  folderOf,
  inPackage,
  isForTests,
  isIn,
  isLocal,
  isNamed,
  isOneOf,
  mayCallOut,
  mayTouchSql,
  packageMeant,
  SERVER,
  serverModule,
  testTools,
} from './lib/rule-words.ts'
import { mayImportModule } from './lib/server-modules.ts'
import { type Import, readPackages, type SourceFile } from './lib/source-tree.ts'

export interface Finding {
  rule: number
  file: string
  line: number
  /** The import, call or write that breaks the rule. */
  what: string
}

interface Rule {
  rule: number
  says: string
  /** Imports that this file may not have. */
  forbids?: (file: SourceFile, item: Import) => boolean
  /** Other violations in this file. */
  finds?: (file: SourceFile) => { line: number; what: string }[]
}

const RULES: Rule[] = [
  {
    rule: 1,
    says: '`contract` imports only zod',
    forbids: (file, item) =>
      inPackage(file, 'contract') && !isLocal(file, item) && !isOneOf(item, 'zod', testTools(file)),
  },
  {
    rule: 1,
    says: '`providers` imports only `contract`, zod, signing libraries, and types of the official SDKs',
    forbids: (file, item) =>
      inPackage(file, 'providers') &&
      !isLocal(file, item) &&
      !isOneOf(item, '@tollgate/contract', 'zod', SIGNING, testTools(file)) &&
      !(item.typeOnly && isOneOf(item, OFFICIAL_SDKS)),
  },
  {
    rule: 2,
    says: '`console` never imports `server` or `providers`',
    forbids: (file, item) => inPackage(file, 'console') && ['server', 'providers'].includes(packageMeant(item)),
  },
  {
    rule: 2,
    says: '`server` never imports `console`',
    forbids: (file, item) => inPackage(file, 'server') && packageMeant(item) === 'console',
  },
  {
    rule: 3,
    says: '`relay`, `upstream`, `ledger` and services never import `http` or Hono',
    forbids: (file, item) =>
      (isIn(file, SERVER, 'relay/', 'upstream/', 'ledger/') || isNamed(file, SERVER, '-service.ts')) &&
      !isForTests(file) &&
      (isOneOf(item, 'hono') || (item.target ?? '').startsWith(`${SERVER}http/`)),
  },
  {
    rule: 4,
    says: 'only repositories, `ledger/` and `database/` import Kysely',
    forbids: (file, item) => isOneOf(item, /^kysely/) && !mayTouchSql(file),
  },
  {
    rule: 4,
    says: 'only `ledger/` writes quota columns, holds and ledger rows',
    finds: (file) =>
      inPackage(file, 'server') && !isIn(file, SERVER, 'ledger/', 'database/migrations/') && !isForTests(file)
        ? moneyWrites(file.source).map(({ line, what }) => ({ line, what: `a write to ${what}` }))
        : [],
  },
  {
    rule: 5,
    says: 'only `upstream/http1/tcp-socket.ts` and `upstream/sockets.ts`, `integrations/` and `console/api` call out',
    forbids: (file, item) => !mayCallOut(file) && !item.typeOnly && isOneOf(item, HTTP_CLIENTS),
    finds: (file) =>
      mayCallOut(file) ? [] : fetchCalls(file.code).map((line) => ({ line, what: 'a call to the outside' })),
  },
  {
    rule: 6,
    says: "a noun asks another noun's service, never its repository",
    forbids: (file, item) =>
      isNamed({ path: item.target ?? '' }, SERVER, '-repository.ts') &&
      folderOf(item.target ?? '') !== folderOf(file.path) &&
      folderOf(item.target ?? '') !== `${SERVER}database` &&
      !isIn(file, SERVER, 'parts/') &&
      !isForTests(file),
  },
  {
    rule: 7,
    says: '`console`: app → features → api | ui | lib, and no feature imports a feature',
    forbids: (file, item) => {
      if (!file.path.startsWith(CONSOLE) || !item.target?.startsWith(CONSOLE) || isForTests(file)) return false
      const [from, to] = [consoleModule(file.path), consoleModule(item.target)]
      return from !== to && !MAY_IMPORT[from.split('/')[0] ?? '']?.includes(to.split('/')[0] ?? '')
    },
  },
  {
    rule: 8,
    says: "no barrels except each package's `index.ts`",
    finds: (file) => {
      if (/^packages\/[^/]+\/src\/index\.ts$/.test(file.path)) return []
      const reexports = file.imports.filter((item) => item.reexports)
      const isBarrel = /\/index\.tsx?$/.test(file.path) || /\bexport\s+\*\s+from\b/.test(file.code)
      const hasOwn = /\bexport\s+(?!type\s*\{|\{|\*)|\bexport\s+\{[^}]*\}(?!\s*from)/.test(file.code)
      return isBarrel || (reexports.length > 0 && !hasOwn) ? [{ line: reexports[0]?.line ?? 1, what: 'a barrel' }] : []
    },
  },
  {
    rule: 9,
    says: 'a module of the server imports only modules below it (`scripts/lib/server-modules.ts`); routes may use every service',
    forbids: (file, item) => {
      if (isForTests(file) || isNamed(file, SERVER, '-routes.ts')) return false
      const [from, to] = [serverModule(file.path), serverModule(item.target ?? '')]
      return from !== '' && to !== '' && from !== to && !mayImportModule(from, to)
    },
  },
  {
    rule: 9,
    says: 'only tests and benchmarks use `testing/`',
    forbids: (file, item) => !isForTests(file) && (item.target ?? '').includes('/testing/'),
  },
]

const SIGNING = [/^@smithy\//, 'jose', 'node:crypto']
const OFFICIAL_SDKS = ['openai', '@anthropic-ai/sdk', '@google/genai']
const HTTP_CLIENTS = [
  'node:http',
  'node:https',
  'node:http2',
  'http',
  'https',
  'undici',
  'axios',
  'got',
  'ky',
  'ofetch',
]

/** The console's modules and what each may import. Files directly in src/ belong to `app`. */
const MAY_IMPORT: Record<string, string[]> = {
  app: ['features', 'api', 'ui', 'lib', 'text'],
  features: ['api', 'ui', 'lib', 'text'],
  api: ['lib', 'text'],
  ui: ['lib', 'text'],
  lib: ['text'],
  text: ['lib'],
}

/** Every violation in the packages below `root`, as sentences. */
export function importFindings(root: string): Finding[] {
  const files = readPackages(root)
  const found = files.flatMap((file) => RULES.flatMap((rule) => applyRule(rule, file)))
  const cycles = cyclesIn(files).map((cycle) => ({
    rule: 8,
    file: cycle[0] ?? '',
    line: 1,
    what: `an import cycle: ${[...cycle, cycle[0]].join(' → ')}: move what they share to a file below them`,
  }))
  return [...found, ...cycles]
}

function applyRule({ rule, says, forbids, finds }: Rule, file: SourceFile): Finding[] {
  const imports = file.imports
    .filter((item) => forbids?.(file, item) ?? false)
    .map((item) => ({ line: item.line, what: `an import of ${item.specifier}` }))
  return [...imports, ...(finds?.(file) ?? [])].map(({ line, what }) => ({
    rule,
    file: file.path,
    line,
    what: `${what}: ${says}`,
  }))
}

if (import.meta.main) {
  const findings = importFindings(process.cwd())
  for (const { file, line, what } of findings) console.error(`${file}:${line}: ${what}`)
  process.exitCode = findings.length === 0 ? 0 : 1
}
