import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Gateway, Keys } from './gateway.ts'
import { FILES, PROMPTS, type Prompt, SENTENCES, WRITTEN } from './model.ts'
import type { Program } from './programs.ts'
import type { Sent, startRecorder } from './recorder.ts'
import { type Ended, makeFolders, runProgram } from './run-program.ts'
import { CHANNELS, type Run } from './vendors.ts'

export interface TestSetup {
  gateway: Gateway
  recorder: ReturnType<typeof startRecorder>
  /** From now on, events at the vendors count for this run. */
  begin(run: Run): void
}

export interface Outcome {
  step: string
  seconds: number
  /** Undefined when it succeeded. */
  fault: string | undefined
  sent: readonly Sent[]
  folder: string
}

/** A permanent refusal must end a program soon after its first call. */
export const REFUSED_WITHIN_MS = 10_000
const LEFT_WITHIN_MS = 15_000

interface Refusal {
  key: keyof Keys
  model?: string
  /** For programs with their own wording. */
  says?: RegExp
}

export const REFUSALS: Record<string, Refusal> = {
  'unknown model': { key: 'good', model: 'no-such-model', says: /model.*\(no-such-model\)/ },
  'wrong key': { key: 'wrong' },
  'no balance': { key: 'broke', says: /Check your plan and billing/ },
  'not allowed': { key: 'bound' },
}

interface Played extends Ended {
  run: Run
  sent: readonly Sent[]
  seconds: number
}

/** The scripted session over the channel of one model: text; two parallel tools and a file; thinking; an interruption. */
export async function* playSession(program: Program, model: string, setup: TestSetup): AsyncGenerator<Outcome> {
  for (const prompt of ['text', 'tools', 'thinking'] as const) {
    const place = makeFolders()
    const played = await play(program, setup, place, { prompt, model, key: 'good' })
    const told = (step: string, fault: string | undefined) => ({ ...outcomeOf(step, played, place.folder), fault })
    const fault = faultOf(played, prompt)
    yield told(prompt, fault)
    if (prompt === 'tools') yield told('write', fault ?? writeFault(place.folder))
    place.remove()
  }
  yield await abort(program, model, setup)
}

/** Refusals before any channel is used, so that one channel is enough. */
export async function* playRefusals(program: Program, setup: TestSetup): AsyncGenerator<Outcome> {
  for (const [step, { key, says, model = CHANNELS[program.native].model }] of Object.entries(REFUSALS)) {
    const place = makeFolders()
    const played = await play(program, setup, place, { prompt: 'text', model, key })
    place.remove()
    yield { ...outcomeOf(step, played, place.folder), fault: refusalFault(played, says) }
  }
}

const outcomeOf = (step: string, { sent, seconds }: Played, folder: string) => ({ step, seconds, sent, folder })

interface StepRequest {
  prompt: Prompt
  model: string
  key: keyof Keys
}

async function play(
  program: Program,
  { gateway, recorder, begin }: TestSetup,
  { folder, home }: { folder: string; home: string },
  { prompt, model, key }: StepRequest,
  interruptAt?: (run: Run) => Promise<void>,
): Promise<Played> {
  const run: Run = { folder, complaints: [], asked: [], open: 0 }
  begin(run)
  const from = recorder.sent.length
  const startedAtMs = Date.now()
  const setting = { url: recorder.url, key: gateway.keys[key], model, prompt: PROMPTS[prompt], folder, home }
  const ended = await runProgram(program, setting, interruptAt?.(run))
  return { ...ended, run, sent: recorder.sent.slice(from), seconds: (ended.endedAtMs - startedAtMs) / 1000 }
}

function faultOf({ run, sent, output, code }: Played, prompt: Prompt) {
  const [complaint] = run.complaints
  const refused = sent.find(({ status }) => status >= 400)
  if (complaint !== undefined) return `the vendor refused: ${complaint}`
  if (refused !== undefined) return `${refused.method} ${refused.path} was ${refused.status}: ${refused.refusal}`
  if (code === null) return `it did not end: ${output.slice(-300)}`
  const read = prompt === 'tools' ? Object.values(FILES) : prompt === 'thinking' ? [FILES['low.txt']] : []
  const unread = read.filter((content) => !run.asked.some((body) => JSON.stringify(body).includes(content)))
  if (unread.length > 0) return `no result of a tool came: ${output.slice(-300)}`
  return output.includes(SENTENCES[prompt]) ? undefined : `its answer is missing: ${output.slice(-300)}`
}

const writeFault = (folder: string) => {
  const path = join(folder, 'tides.txt')
  return existsSync(path) && readFileSync(path, 'utf8').trim() === WRITTEN ? undefined : 'the file was not written'
}

function refusalFault({ sent, output, code, endedAtMs }: Played, says: RegExp | undefined) {
  const refused = sent.find(({ status }) => status >= 400)
  if (refused === undefined) return 'nothing was refused'
  const lasted = endedAtMs - refused.atMs
  const calls = sent.filter(({ status }) => status >= 400).length
  if (code === null || lasted > REFUSED_WITHIN_MS) return `${calls} calls in ${Math.round(lasted / 1000)} s`
  const isTold = says?.test(output) === true || output.includes(refused.refusal.slice(0, 24))
  return isTold ? undefined : `"${refused.refusal}" is not told: ${output.slice(-300)}`
}

/** Interrupted in the middle of a long answer: the program ends, the vendor is released, and the call is settled. */
async function abort(program: Program, model: string, setup: TestSetup): Promise<Outcome> {
  const place = makeFolders()
  const played = await play(program, setup, place, { prompt: 'abort', model, key: 'good' }, async (run) => {
    const deadline = Date.now() + 60_000
    while (run.open === 0 && Date.now() < deadline) await Bun.sleep(50)
    await Bun.sleep(500)
  })
  place.remove()
  const deadline = Date.now() + LEFT_WITHIN_MS
  const isOver = () => played.run.open === 0 && setup.gateway.openCalls() === 0
  while (!isOver() && Date.now() < deadline) await Bun.sleep(100)
  const [complaint] = played.run.complaints
  const fault =
    complaint ??
    (played.run.asked.length === 0 ? `it never asked: ${played.output.slice(-300)}` : undefined) ??
    (played.code === null ? 'it did not end' : undefined) ??
    (isOver() ? undefined : 'the call went on')
  return { ...outcomeOf('abort', played, place.folder), fault }
}
