import { join } from 'node:path'
import { ROOT } from '../lib/run.mjs'
import { installedVersion, SCRATCH } from './scratch.ts'
import { REFUSALS, REFUSED_WITHIN_MS, type TestSetup } from './session.ts'
import type { Row } from './table.ts'
import { CHANNELS, type ChannelName } from './vendors.ts'

export type LibraryName =
  | 'openai with chats'
  | 'openai with responses'
  | '@anthropic-ai/sdk'
  | '@google/genai'
  | 'ai with chats'
  | 'ai with responses'
  | 'ai with messages'
  | 'ai with contents'

export interface Library {
  name: LibraryName
  package: string
  /** Additional packages it needs. */
  with: readonly string[]
  native: ChannelName
}

export const LIBRARIES: readonly Library[] = [
  { name: 'openai with chats', package: 'openai', with: [], native: 'chat' },
  { name: 'openai with responses', package: 'openai', with: [], native: 'responses' },
  { name: '@anthropic-ai/sdk', package: '@anthropic-ai/sdk', with: [], native: 'anthropic' },
  { name: '@google/genai', package: '@google/genai', with: [], native: 'gemini' },
  { name: 'ai with chats', package: 'ai', with: ['@ai-sdk/openai'], native: 'chat' },
  { name: 'ai with responses', package: 'ai', with: ['@ai-sdk/openai'], native: 'responses' },
  { name: 'ai with messages', package: 'ai', with: ['@ai-sdk/anthropic'], native: 'anthropic' },
  { name: 'ai with contents', package: 'ai', with: ['@ai-sdk/google'], native: 'gemini' },
]

/** Every library is linked into the session, whichever is tested. */
export const LINKED = LIBRARIES.flatMap((one) => [one.package, ...one.with])

export interface LibraryOrder {
  library: LibraryName
  url: string
  key: string
  model: string
  refusal: boolean
}

/** The error of each step, null for none; `said` is the text of a refusal. */
export type LibraryReport = Record<string, string | null>

const LIMIT_MS = 60_000

/** The session of one library over every channel, and its refusals over its own. */
export const playLibrary = async (library: Library, setup: TestSetup, reason: string | undefined): Promise<Row[]> => {
  const { name, package: from, native } = library
  const who = `${name} ${installedVersion(from) ?? ''}`.trim()
  if (reason !== undefined) return [{ who, channel: native, step: 'all', notRun: reason }]
  const rows: Row[] = []
  const add = (channel: string, step: string, fault: string | null | undefined) => {
    rows.push({ who, channel, step, ...(typeof fault === 'string' ? { fault } : {}) })
    console.log(`${who} over ${channel}, ${step}: ${fault ?? 'ok'}`)
  }
  const { recorder, gateway } = setup
  const foreign = (Object.keys(CHANNELS) as ChannelName[]).filter((channel) => channel !== native)
  for (const channel of [native, ...foreign]) {
    setup.begin({ folder: '', complaints: [], asked: [], open: 0 })
    const { model } = CHANNELS[channel]
    const order = { library: name, url: recorder.url, key: gateway.keys.good, model, refusal: false }
    for (const [step, fault] of Object.entries(await run(order))) add(channel, step, fault)
  }
  for (const [step, { key, model = CHANNELS[native].model }] of Object.entries(REFUSALS)) {
    const from = recorder.sent.length
    const startedAtMs = Date.now()
    const order = { library: name, url: recorder.url, key: gateway.keys[key], model, refusal: true }
    const { said = '', refusal } = await run(order)
    const [first] = recorder.sent.slice(from)
    const isTold = first !== undefined && said?.includes(first.refusal.slice(0, 24)) === true
    const calls = recorder.sent.length - from
    const isSoon = Date.now() - startedAtMs < REFUSED_WITHIN_MS
    const isOver = isTold && isSoon && calls === 1
    add('refusals', step, refusal ?? (isOver ? null : `${calls} calls, and it said: ${said}`))
  }
  return rows
}

/** Assembled in the scratch folder, so that current library versions are used and not those of the lockfile. */
export const linkSession = async () => {
  const built = await Bun.build({
    ...{ entrypoints: [join(ROOT, 'scripts/clients/library-session.ts')], outdir: SCRATCH, target: 'bun' },
    packages: 'external',
  })
  if (!built.success) throw new Error(built.logs.join('\n'))
}

async function run(order: LibraryOrder): Promise<LibraryReport> {
  const child = Bun.spawn([process.execPath, join(SCRATCH, 'library-session.js'), JSON.stringify(order)], {
    ...{ cwd: SCRATCH, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe', timeout: LIMIT_MS },
  })
  const [out, error] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  await child.exited
  const last = out.trim().split('\n').at(-1) ?? ''
  return last.startsWith('{') ? JSON.parse(last) : { start: `${out}${error}`.slice(-400) || 'it did not end' }
}
