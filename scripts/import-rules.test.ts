import { expect, test } from 'bun:test'
import { importFindings } from './import-rules.ts'
import { withTree } from './lib/temporary-tree.ts'

const SERVER = 'packages/server/src'
const CONSOLE = 'packages/console/src'

/** The rules that a tree breaks, with the file that breaks them. */
const broken = (files: Record<string, string>) =>
  withTree(files, (root) => importFindings(root).map(({ rule, file }) => `${rule} ${file.split('/src/')[1]}`))

test('rule 1: contract imports zod and nothing else', () => {
  expect(broken({ 'packages/contract/src/users.ts': "import { z } from 'zod'\nimport './roles.ts'" })).toEqual([])
  expect(broken({ 'packages/contract/src/users.ts': "import type { Hono } from 'hono'" })).toEqual(['1 users.ts'])
  expect(broken({ 'packages/contract/src/users.ts': "import { x } from '../../server/src/app.ts'" })).toEqual([
    '1 users.ts',
  ])
})

test('rule 1: providers may sign and read types of the SDKs, but not call them', () => {
  const provider = (text: string) => broken({ 'packages/providers/src/bedrock/sign.ts': text })
  expect(
    provider("import { SignatureV4 } from '@smithy/signature-v4'\nimport { roles } from '@tollgate/contract'"),
  ).toEqual([])
  expect(provider("import type OpenAI from 'openai'")).toEqual([])
  expect(provider("import OpenAI from 'openai'")).toEqual(['1 bedrock/sign.ts'])
  expect(provider("import { readFileSync } from 'node:fs'")).toEqual(['1 bedrock/sign.ts'])
})

test('rule 1: tests of contract and providers may use test tools, but no other package', () => {
  const tested = (text: string) => broken({ 'packages/contract/src/quota.test.ts': text })
  expect(tested("import { test } from 'bun:test'\nimport fc from 'fast-check'")).toEqual([])
  expect(tested("import { app } from '@tollgate/server'")).toEqual(['1 quota.test.ts'])
})

test('rule 2: console and server do not import each other, not even in tests', () => {
  expect(broken({ [`${CONSOLE}/app/shell.tsx`]: "import { app } from '@tollgate/server'" })).toEqual([
    '2 app/shell.tsx',
  ])
  expect(broken({ [`${CONSOLE}/app/shell.test.tsx`]: "const p = await import('@tollgate/providers')" })).toEqual([
    '2 app/shell.test.tsx',
  ])
  expect(
    broken({ [`${SERVER}/app.ts`]: "export { page } from '../../console/src/app/page.tsx'\nexport const a = 1" }),
  ).toEqual(['2 app.ts'])
})

test('rule 3: relay, upstream, ledger and services import neither http/ nor Hono', () => {
  const imports = "import { serve } from '../http/serve.ts'\nimport { getCookie } from 'hono/cookie'"
  for (const file of ['relay/relay.ts', 'upstream/open.ts', 'ledger/hold.ts', 'tokens/tokens-service.ts']) {
    expect(broken({ [`${SERVER}/${file}`]: imports })).toEqual([`3 ${file}`, `3 ${file}`, `9 ${file}`])
  }
  expect(
    broken({ [`${SERVER}/tokens/tokens-routes.ts`]: imports, [`${SERVER}/relay/relay.test.ts`]: imports }),
  ).toEqual([])
})

test('rule 4: Kysely stays in repositories, ledger/ and database/', () => {
  const imports = "import { sql } from 'kysely'"
  const fine = ['tokens/tokens-repository.ts', 'ledger/hold.ts', 'database/client.ts']
  expect(broken(Object.fromEntries(fine.map((file) => [`${SERVER}/${file}`, imports])))).toEqual([])
  expect(broken({ [`${SERVER}/jobs/nightly.ts`]: imports })).toEqual(['4 jobs/nightly.ts'])
  expect(broken({ [`${SERVER}/tokens/tokens-service.ts`]: "import type { Kysely } from 'kysely'" })).toEqual([
    '4 tokens/tokens-service.ts',
  ])
})

test('rule 4: only the ledger writes money', () => {
  const repository = (text: string) => broken({ [`${SERVER}/users/users-repository.ts`]: text })
  const finding = ['4 users/users-repository.ts']
  expect(repository("db.updateTable('users').set({ quota: 5 }).where('id', '=', id).execute()")).toEqual(finding)
  expect(repository("db.updateTable('users').set({ name, quota }).execute()")).toEqual(finding)
  expect(repository("db.updateTable('users').set((eb) => ({ held: eb('held', '+', 1) })).execute()")).toEqual(finding)
  expect(repository("db.updateTable('tokens').set('remain_quota', 1).execute()")).toEqual(finding)
  expect(repository("db\n  .updateTable('channels')\n  .set({ name, used_quota: 0 })\n  .execute()")).toEqual(finding)
  expect(repository('sql`UPDATE users SET name = 1, quota = quota - 1 WHERE id = 1`')).toEqual(finding)
  expect(repository("db.insertInto('ledger').values(row).execute()")).toEqual(finding)
  expect(broken({ [`${SERVER}/ledger/post.ts`]: "db.updateTable('users').set({ quota: 5 }).execute()" })).toEqual([])
})

test('rule 4: reading money, and writing other columns, is allowed', () => {
  const repository = (text: string) => broken({ [`${SERVER}/tokens/tokens-repository.ts`]: text })
  expect(repository("db.selectFrom('users').select(['quota', 'held']).execute()")).toEqual([])
  expect(
    repository("db.updateTable('tokens').set({ unlimited_quota: 1 }).where('used_quota', '>', 1).execute()"),
  ).toEqual([])
  expect(repository("db.updateTable('redemptions').set({ quota: 5 }).execute()")).toEqual([])
})

test('rule 5: fetch is called in three places', () => {
  const call = 'export const get = () => fetch("https://example.com")'
  const fine = [`${SERVER}/upstream/http1/tcp-socket.ts`, `${SERVER}/integrations/github.ts`, `${CONSOLE}/api/call.ts`]
  expect(broken(Object.fromEntries(fine.map((file) => [file, call])))).toEqual([])
  expect(broken({ [`${SERVER}/upstream/open.ts`]: call })).toEqual(['5 upstream/open.ts'])
  expect(broken({ [`${CONSOLE}/features/tokens/queries.ts`]: call })).toEqual(['5 features/tokens/queries.ts'])
  expect(broken({ [`${SERVER}/app.ts`]: 'const send = globalThis.fetch' })).toEqual(['5 app.ts'])
  expect(broken({ [`${SERVER}/app.ts`]: 'const text = `$' + '{await fetch(url)}`' })).toEqual(['5 app.ts'])
  expect(broken({ [`${SERVER}/app.ts`]: 'const wire = Bun.connect(place)' })).toEqual(['5 app.ts'])
  expect(broken({ [`${SERVER}/app.ts`]: "import { request } from 'node:https'" })).toEqual(['5 app.ts'])
})

test('rule 5: other things called fetch are fine', () => {
  const app = (text: string) => broken({ [`${SERVER}/app.ts`]: text })
  expect(app('Bun.serve({ fetch(request) { return handle(request) } })')).toEqual([])
  expect(app('Bun.serve({ port, async fetch(request, server) {\n return app.fetch(request) } })')).toEqual([])
  expect(app('interface App { fetch(request: Request): Promise<Response>; send: typeof fetch }')).toEqual([])
  expect(app('// a fetch( in a sentence\nconst text = "fetch(1)" // and here\nconst re = /fetch("/')).toEqual([])
  expect(broken({ [`${SERVER}/app.test.ts`]: 'await fetch(url)' })).toEqual([])
})

test('rule 6: an entity does not use the repository of another', () => {
  const imports = "import { usersRepository } from '../users/users-repository.ts'"
  expect(broken({ [`${SERVER}/session/login-service.ts`]: imports })).toEqual(['6 session/login-service.ts'])
  expect(broken({ [`${SERVER}/jobs/nightly.ts`]: imports })).toEqual(['6 jobs/nightly.ts'])
  expect(broken({ [`${SERVER}/users/users-service.ts`]: "import { r } from './users-repository.ts'" })).toEqual([])
  expect(broken({ [`${SERVER}/parts/parts.ts`]: imports })).toEqual([])
  expect(broken({ [`${SERVER}/security/key.ts`]: "import { r } from '../database/meta-repository.ts'" })).toEqual([])
})

test('rule 7: the console is built in layers', () => {
  const from = (file: string, to: string) => broken({ [`${CONSOLE}/${file}`]: `import { x } from '${to}'` })
  expect(from('app/router.tsx', '../features/tokens/tokens-page.tsx')).toEqual([])
  expect(from('features/tokens/tokens-page.tsx', '../../ui/page.tsx')).toEqual([])
  expect(from('features/tokens/tokens-page.tsx', './queries.ts')).toEqual([])
  expect(from('features/tokens/tokens-page.tsx', '../users/queries.ts')).toEqual(['7 features/tokens/tokens-page.tsx'])
  expect(from('features/tokens/tokens-page.tsx', '../../app/router.tsx')).toEqual(['7 features/tokens/tokens-page.tsx'])
  expect(from('ui/page.tsx', '../api/call.ts')).toEqual(['7 ui/page.tsx'])
  expect(from('api/call.ts', '../features/tokens/queries.ts')).toEqual(['7 api/call.ts'])
  expect(from('lib/time.ts', '../main.tsx')).toEqual(['7 lib/time.ts'])
})

test('rule 8: no barrels except the package’s own', () => {
  const barrel = "export { a } from './a.ts'\nexport type { B } from './b.ts'"
  expect(broken({ 'packages/contract/src/index.ts': barrel })).toEqual([])
  expect(broken({ [`${SERVER}/tokens/tokens.ts`]: barrel })).toEqual(['8 tokens/tokens.ts'])
  expect(broken({ [`${SERVER}/tokens/index.ts`]: 'export const a = 1' })).toEqual(['8 tokens/index.ts'])
  expect(broken({ [`${SERVER}/tokens/tokens.ts`]: "export * from './a.ts'\nexport const b = 1" })).toEqual([
    '8 tokens/tokens.ts',
  ])
})

test('rule 8: no cycles, however long, not even of types', () => {
  const cycleWith = (back: string) =>
    broken({
      [`${SERVER}/a.ts`]: "import { b } from './b.ts'",
      [`${SERVER}/b.ts`]: "import {\n  c,\n} from './c.ts'",
      [`${SERVER}/c.ts`]: back,
    })
  expect(cycleWith("import { a } from './a.ts'")).toEqual(['8 a.ts'])
  expect(cycleWith("const a = await import('./a.ts')")).toEqual(['8 a.ts'])
  expect(cycleWith("import type { A } from './a.ts'")).toEqual(['8 a.ts'])
})

test('rule 9: a module of the server imports only what is below it; routes, tests and the wiring are free', () => {
  const imports = (file: string, target: string) => broken({ [`${SERVER}/${file}`]: `import { x } from '${target}'` })
  expect(imports('relay/relay.ts', '../ledger/ledger.ts')).toEqual([])
  expect(imports('ledger/ledger.ts', '../relay/relay.ts')).toEqual(['9 ledger/ledger.ts'])
  expect(imports('users/users-service.ts', '../session/sessions-service.ts')).toEqual(['9 users/users-service.ts'])
  expect(imports('users/users-routes.ts', '../session/sessions-service.ts')).toEqual([])
  expect(imports('users/users.test.ts', '../session/sessions-service.ts')).toEqual([])
  expect(imports('app.ts', './relay/relay.ts')).toEqual([])
  expect(imports('attic/box.ts', '../common/log.ts')).toEqual(['9 attic/box.ts'])
})

test('rule 9: product code uses nothing that was made for tests', () => {
  const imports = "import { fakeUpstream } from '../testing/fake-upstream.ts'"
  expect(broken({ [`${SERVER}/demo/demo.ts`]: imports })).toEqual(['9 demo/demo.ts', '9 demo/demo.ts'])
})
