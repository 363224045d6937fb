import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../lib/run.mjs'
import type { Program } from './programs.ts'
import type { Sent } from './recorder.ts'
import { installedVersion } from './scratch.ts'
import type { Outcome } from './session.ts'

const FOLDER = join(ROOT, 'packages', 'server', 'src', 'testing', 'agents', 'fixtures')

/** A program's requests in its own dialect, without secrets, machine details, or the program's own prose. */
export const keepRequests = ({ name, package: from, native }: Program, outcomes: readonly Outcome[]) => {
  const requests = outcomes
    .filter(({ step }) => ['text', 'tools', 'thinking'].includes(step))
    .flatMap(({ step, sent, folder }) => lastOfEach(sent).map((one) => redacted(one, step, folder)))
  mkdirSync(FOLDER, { recursive: true })
  const path = join(FOLDER, `${name.toLowerCase().replaceAll(' ', '-')}.json`)
  const head = JSON.stringify({ program: name, package: from, version: installedVersion(from), native })
  const lines = requests.map((request) => JSON.stringify(request)).join(',\n')
  writeFileSync(path, `${head.slice(0, -1)},"requests":[\n${lines}\n]}\n`)
}

/** The last call of a kind contains the others: messages, calls, results. */
const lastOfEach = (sent: readonly Sent[]) => [
  ...new Map(sent.map((one) => [`${one.method} ${one.path} ${one.body.includes('"tools"')}`, one])).values(),
]

const SECRET = /^(authorization|x-api-key|x-goog-api-key|cookie)$/
const OF_THE_WIRE = /^(host|content-length|connection|accept-encoding)$/

function redacted({ method, path, headers, body }: Sent, step: string, folder: string) {
  const kept = Object.entries(headers).filter(([name]) => !OF_THE_WIRE.test(name))
  const place = folder.replace(/\/project$/, '')
  const shorten = (value: string) => shortened(value.replaceAll(place, '/home/somebody'))
  return {
    step,
    method,
    path: path.replace(/([?&]key=)[^&]*/, '$1KEY'),
    headers: Object.fromEntries(
      kept.map(([name, value]) => [name, SECRET.test(name) ? value.replace(/sk-\S+/, 'KEY') : shorten(value)]),
    ),
    ...(body === '' ? {} : { body: mapStrings(JSON.parse(body), shorten) }),
  }
}

/** Tool descriptions are the program's own prose, however short. */
const lengthOf = (text: string) => `(${text.length} characters)`

const TEXT_MAX = 40

/** The length of a text is enough; session and machine ids are replaced. */
const shortened = (text: string): string => {
  // Arguments of a call are JSON in a string.
  if (text.startsWith('{') && isJson(text)) return JSON.stringify(mapStrings(JSON.parse(text), shortened))
  // The session's own prompts are ours.
  return text.length > TEXT_MAX && !text.startsWith('HARBOUR') && !/^[\w+/=,.-]+$/.test(text)
    ? `(${text.length} characters)`
    : text
        .replace(/\b[0-9a-f]{64}\b/g, '0'.repeat(64))
        .replace(
          /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
          '00000000-0000-4000-8000-000000000000',
        )
}

function isJson(text: string) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, own]) => [name, mapStrings(own, name === 'description' ? lengthOf : change)]),
  )
}
