import { expect, setDefaultTimeout, test } from 'bun:test'
import { ledgerFixture } from '../testing/ledger-fixture.ts'
import { seeded } from '../testing/seeded.ts'
import type { Command, Result } from './commands.ts'

/*
 * Many calls on several processes over the real store, in an order that a seed decides. Every batch has one of these outcomes: it is
 * answered; its process dies before the commit or after it; or only the answer is lost and the batch runs again. Between batches,
 * processes die with calls that want a hold, have one, or have just been settled; others start, sweep the dead, die while they sweep,
 * and sometimes sweep one that is alive, which may then neither hold under its old epoch nor stay open in it. In every second run the
 * key is limited.
 */

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_115)
const WORLDS = 12
const STEPS = 220

type Fate = 'answered' | 'dies before the commit' | 'dies after the commit' | 'answer lost'

interface Call {
  id: string
  amount: number
  /** The actual cost. */
  actual: number
  state: 'wanted' | 'held' | 'over'
  /** The largest progress that was sent, and the largest that was acknowledged. */
  sent: number
  noted: number
  /** Whether a settlement was ever sent, and the charge confirmed to the client. */
  settling: boolean
  confirmed: number | undefined
}

interface Process {
  epoch: string
  calls: Call[]
  /** A batch whose answer was lost has to be run again before anything else. */
  again: Command[] | undefined
}

for (let world = 0; world < WORLDS; world++) {
  const seed = SEED + world
  test(`calls on processes that die, lose answers and sweep each other: nothing lost, nothing twice, nothing open (seed ${seed})`, async () => {
    await simulate(seed)
  })
}

async function simulate(seed: number) {
  const random = seeded(seed)
  const chance = (percent: number) => random(100) < percent
  const pick = <T>(from: readonly T[]) => from[random(from.length)]
  const fixture = await ledgerFixture({ quota: 20_000 })
  const { app, store, user, tokenId } = fixture
  const limited = seed % 2 === 0
  const limit = { unlimited_quota: limited ? 0 : 1, remain_quota: 20_000 } as const
  await app.db.updateTable('tokens').set(limit).where('id', '=', tokenId).execute()
  const living: Process[] = []
  const dead: string[] = []
  /** Epochs whose sweep has begun: from then on no other would be started. */
  const closed = new Set<string>()
  /** Calls whose hold was swept: their later usage is charged by their settlement alone. */
  const swept = new Set<string>()
  let turnedAway = 0
  const calls: Call[] = []
  let epochs = 0

  const start = async () => {
    const epoch = `epoch-${seed}-${++epochs}`
    await app.db.insertInto('owners').values({ epoch, node: epoch, started_at: 1, closed_at: null }).execute()
    living.push({ epoch, calls: [], again: undefined })
  }

  const die = (process: Process) => {
    living.splice(living.indexOf(process), 1)
    dead.push(process.epoch)
  }

  /** Runs a batch as far as its outcome allows; undefined when nobody learns the results. */
  const run = async (process: Process, batch: Command[], fate: Fate) => {
    if (fate === 'dies before the commit') return die(process)
    const results = await store.run(batch)
    for (const [index, command] of batch.entries()) judge(command, results[index])
    if (fate === 'dies after the commit') return die(process)
    process.again = fate === 'answer lost' ? batch : undefined
    return fate === 'answered' ? results : undefined
  }

  /** What was committed, whether or not anyone learned of it. */
  const judge = (command: Command, result: Result | Error | undefined) => {
    if (command.type === 'sweep') swept.add(command.id)
    if (command.type !== 'hold' || result === undefined || result instanceof Error) return
    const late = closed.has(command.epoch)
    expect(late && result.ok && result.type === 'held' && result.fresh ? command : undefined).toBeUndefined()
    if (!result.ok && result.refusal === 'epoch') {
      expect(late).toBe(true)
      turnedAway++
    }
  }

  const fate = (): Fate => {
    const dice = random(100)
    if (dice < 6) return 'dies before the commit'
    if (dice < 12) return 'dies after the commit'
    return dice < 24 ? 'answer lost' : 'answered'
  }

  const arrive = (process: Process) => {
    const amount = random(400)
    const call: Call = {
      ...{ id: `call-${seed}-${calls.length}`, amount, actual: random(amount + 1), state: 'wanted' },
      ...{ sent: 0, noted: 0, settling: false, confirmed: undefined },
    }
    calls.push(call)
    process.calls.push(call)
  }

  const nextCommand = (call: Call, { epoch }: Process): Command => {
    const { id, amount, actual } = call
    if (call.state === 'wanted') return { ...fixture.hold(id, amount), epoch }
    if (chance(25)) {
      // Not always more than before: what is sent later may arrive earlier.
      const used = random(actual + 1)
      call.sent = Math.max(call.sent, used)
      return { type: 'progress', id, used }
    }
    if (chance(15)) return { type: 'extend', id, to: amount + random(50), now: 1 }
    call.settling = true
    return fixture.settle(id, actual)
  }

  const learn = async (process: Process, command: Command, result: Result | Error | undefined) => {
    if (result === undefined || result instanceof Error) throw result ?? new Error('No result')
    const call = process.calls.find(({ id }) => id === command.id)
    if (call === undefined) return
    if (command.type === 'hold') call.state = result.ok ? 'held' : 'over'
    // Taken for dead: it continues under a new epoch, and the call is tried again.
    if (command.type === 'hold' && !result.ok && result.refusal === 'epoch') {
      call.state = 'wanted'
      if (!dead.includes(process.epoch)) dead.push(process.epoch)
      const fresh = `epoch-${seed}-${++epochs}`
      await app.db.insertInto('owners').values({ epoch: fresh, node: fresh, started_at: 1, closed_at: null }).execute()
      process.epoch = fresh
    }
    // Being taken for dead and then dying are two failures; between them nothing is recorded.
    if (command.type === 'progress' && !swept.has(call.id)) call.noted = Math.max(call.noted, command.used)
    if (command.type === 'settle') {
      call.state = 'over'
      call.confirmed = result.ok && result.type === 'settled' ? result.charged : Number.NaN
    }
    process.calls = process.calls.filter(({ state }) => state !== 'over')
  }

  const work = async (process: Process, how: Fate) => {
    const batch = process.again ?? process.calls.filter(() => chance(60)).map((call) => nextCommand(call, process))
    const results = await run(process, batch, how)
    if (results === undefined) return
    for (const [index, command] of batch.entries()) await learn(process, command, results[index])
  }

  const sweep = async (process: Process, epoch: string, how: Fate) => {
    await app.db.updateTable('owners').set({ closed_at: 2 }).where('epoch', '=', epoch).execute()
    closed.add(epoch)
    const open = await app.db
      .selectFrom('holds')
      .select('id')
      .where('epoch', '=', epoch)
      .where('state', '=', 0)
      .execute()
    const batch = open.map(({ id }): Command => ({ type: 'sweep', id, log: undefined, now: 3 }))
    // An interrupted sweep is finished by another process.
    const again = process.again
    await run(process, batch, how)
    process.again = again
  }

  for (let step = 0; step < STEPS; step++) {
    if (living.length === 0 || (living.length < 4 && chance(10))) await start()
    const process = pick(living)
    if (process === undefined) throw new Error('Nobody lives')
    const dice = random(100)
    if (dice < 35) arrive(process)
    else if (dice < 85) await work(process, fate())
    else if (dice < 88) die(process)
    else {
      const presumed = chance(30) ? pick(living)?.epoch : undefined
      await sweep(process, presumed ?? pick(dead) ?? '', fate())
    }
  }

  // Live processes finish their calls; dead ones are swept.
  await start()
  for (const process of [...living]) while (process.calls.length > 0) await work(process, 'answered')
  const last = living.at(-1)
  if (last === undefined) throw new Error('Nobody lives')
  for (const epoch of dead) await sweep(last, epoch, 'answered')

  expect(await app.db.selectFrom('holds').select('id').where('state', '=', 0).execute()).toEqual([])
  expect(await app.audit()).toEqual([])
  const entries = await app.db
    .selectFrom('ledger')
    .select(['kind', 'ref', 'delta'])
    .where('user_id', '=', user.id)
    .execute()
  const wrong = calls.flatMap((call) => {
    const own = entries.filter(({ ref }) => ref === call.id)
    const charged = 0 - own.reduce((sum, { delta }) => sum + delta, 0)
    const confirmed = call.confirmed === undefined || (call.confirmed === call.actual && charged === call.actual)
    const least = call.settling ? Math.min(call.noted, call.actual) : call.noted
    const most = call.settling ? Math.max(call.sent, call.actual) : call.sent
    const once = own.filter(({ kind }) => kind === 'consume').length <= 1
    return confirmed && once && charged >= least && charged <= most ? [] : [{ ...call, charged, own }]
  })
  expect(wrong).toEqual([])
  // A run in which nothing happened would prove nothing.
  expect(calls.filter(({ confirmed }) => confirmed !== undefined).length).toBeGreaterThan(10)
  expect(dead.length).toBeGreaterThan(2)
  expect(turnedAway).toBeGreaterThan(0)
  const spent = entries
    .filter(({ kind }) => kind === 'consume' || kind === 'late')
    .reduce((sum, { delta }) => sum - delta, 0)
  const requests = entries.filter(({ kind }) => kind === 'consume').length
  expect(await fixture.account()).toEqual({
    ...{ quota: 20_000 - spent, held: 0, used_quota: spent, request_count: requests },
  })
  const token = await app.db
    .selectFrom('tokens')
    .select(['held', 'used_quota', 'remain_quota'])
    .where('id', '=', tokenId)
    .executeTakeFirstOrThrow()
  expect(token).toEqual({ held: 0, used_quota: spent, remain_quota: limited ? 20_000 - spent : 20_000 })
}
