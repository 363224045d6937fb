// `npm run clients`: the agent programs and client libraries of today, installed by name into a folder outside the
// repository, hold a scripted session through the gateway: over their own vendor's dialect and over three others, and into
// every refusal. With names after `--` only those; `--everywhere` adds vendors that have dialects and rules of their own;
// `--record` keeps what the agents send for the tests.

import { startGateway } from './clients/gateway.ts'
import { LIBRARIES, LINKED, linkSession, playLibrary } from './clients/libraries.ts'
import { PROGRAMS, type Program } from './clients/programs.ts'
import { startRecorder } from './clients/recorder.ts'
import { keepRequests } from './clients/recordings.ts'
import { endDaemons, install, installedVersion } from './clients/scratch.ts'
import { type Outcome, playRefusals, playSession, type TestSetup } from './clients/session.ts'
import { type Row, shownTable } from './clients/table.ts'
import { channelsFor, type Run, startVendor } from './clients/vendors.ts'

const given = process.argv.slice(2)
const records = given.includes('--record')
const channels = channelsFor({ everywhere: given.includes('--everywhere') })
const names = given.filter((word) => !word.startsWith('-')).map((name) => name.toLowerCase())
const isChosen = ({ name }: { name: string }) =>
  names.length === 0 || names.some((part) => name.toLowerCase().includes(part))

const programs = PROGRAMS.filter(isChosen)
const libraries = LIBRARIES.filter(isChosen)
console.log('Installing')
const linked = libraries.length > 0 ? LINKED : []
const missing = await install([...new Set([...programs.map((one) => one.package), ...linked])])
if (libraries.length > 0) await linkSession()

let run: Run = { folder: '', complaints: [], asked: [], open: 0 }
const vendors = Object.fromEntries(
  Object.entries(channels).map(([name, vendor]) => [name, { ...vendor, ...startVendor(vendor, () => run) }]),
)
const gateway = await startGateway(vendors)
const recorder = startRecorder(gateway.url)
const setup: TestSetup = {
  gateway,
  recorder,
  begin: (next) => {
    run = next
  },
}

const rows: Row[] = []
try {
  for (const program of programs) await tryProgram(program)
  for (const library of libraries) rows.push(...(await playLibrary(library, setup, missing.get(library.package))))
} finally {
  endDaemons()
  await recorder.stop()
  await gateway.stop()
  for (const vendor of Object.values(vendors)) await vendor.stop()
}
console.log(shownTable(rows))
process.exitCode = rows.some(({ fault }) => fault !== undefined) ? 1 : 0

async function tryProgram(program: Program) {
  const version = installedVersion(program.package)
  const who = `${program.name} ${version ?? ''}`.trim()
  const reason = missing.get(program.package)
  if (version === undefined || reason !== undefined) {
    rows.push({ who, channel: program.native, step: 'all', notRun: reason ?? 'not installed' })
    return
  }
  const native: Outcome[] = []
  const add = (channel: string, outcome: Outcome) => {
    const { step, seconds, fault } = outcome
    rows.push({ who, channel, step, seconds, ...(fault === undefined ? {} : { fault }) })
    console.log(`${who} over ${channel}, ${step}: ${fault ?? 'ok'} (${seconds.toFixed(1)} s)`)
    if (channel === program.native) native.push(outcome)
  }
  const nativeFirst = Object.entries(channels).sort(([name]) => (name === program.native ? -1 : 0))
  for (const [channel, { model }] of nativeFirst) {
    for await (const outcome of playSession(program, model, setup)) add(channel, outcome)
  }
  for await (const outcome of playRefusals(program, setup)) add('refusals', outcome)
  if (records) keepRequests(program, native)
}
