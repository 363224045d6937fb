import { expect } from 'bun:test'
import { upToDateFigures } from '../ledger/up-to-date-figures.ts'
import type { TestApp } from './app.ts'
import type { Exchange } from './exchange.ts'

/** What one client saw of its call. */
export interface Seen {
  /** In the text of the prompt, so that the provider's journal can be joined. */
  name: string
  stream: boolean
  /** Undefined without even the headers of an answer. */
  requestId: string | undefined
  status: number
  /** The client saw the end: `[DONE]`, or the whole of a plain answer. */
  ended: boolean
  /** The cost that the gateway reported. */
  cost: number | undefined
}

let calls = 0

/** One call, recorded whatever its outcome. */
export async function observedCall(url: string, key: string, model: string, stream: boolean): Promise<Seen> {
  const seen: Seen = {
    ...{ name: `call-${++calls}-`, stream, requestId: undefined, status: 0, ended: false, cost: undefined },
  }
  try {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-tollgate-cost': 'stream' },
      body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: `I am ${seen.name}` }] }),
    })
    seen.requestId = response.headers.get('x-request-id') ?? undefined
    seen.status = response.status
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true })
    seen.ended = stream ? text.includes('data: [DONE]') : response.ok && text.endsWith('}')
    const comment = stream ? /: tollgate (\{.*\})/.exec(text)?.[1] : undefined
    seen.cost = comment === undefined ? numberIn(response.headers.get('x-tollgate-cost')) : JSON.parse(comment).cost
  } catch {
    // The process died, as this test intends.
  }
  return seen
}

const numberIn = (text: string | null) => (text === null ? undefined : Number(text))

/** Clients that call repeatedly until `stopped`, seven of ten as streams. Returns everything they saw, and keeps adding to it. */
export async function observedLoad(
  { urls, key, clients }: { urls: () => readonly string[]; key: string; clients: number },
  stopped: () => boolean,
  history: Seen[] = [],
) {
  const client = async (index: number) => {
    for (let turn = 0; !stopped(); turn++) {
      const all = urls()
      const url = all[(index + turn) % Math.max(1, all.length)] ?? ''
      const stream = (index + turn) % 10 < 7
      const seen = await observedCall(url, key, stream ? 'pace/8/20' : 'say/20', stream)
      history.push(seen)
      // A dead process refuses at once: calling it a thousand times proves nothing.
      if (seen.status === 0) await Bun.sleep(10)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, index) => client(index)))
  return history
}

/**
 * Joins what the clients received, what the provider sent, and what the ledger contains. Every token costs 1: the price of a
 * call follows from the provider's own journal.
 */
export async function expectCorrectBooks(
  app: TestApp,
  { userId, history, journal }: { userId: number; history: readonly Seen[]; journal: readonly Exchange[] },
) {
  const rows = await app.db
    .selectFrom('ledger')
    .select(['kind', 'ref', 'delta'])
    .where('user_id', '=', userId)
    .where('kind', 'in', ['consume', 'late'])
    .execute()
  const charged = new Map<string, number>()
  const consumed = new Map<string, number>()
  for (const { kind, ref, delta } of rows) {
    charged.set(ref, (charged.get(ref) ?? 0) - delta)
    if (kind === 'consume') consumed.set(ref, (consumed.get(ref) ?? 0) + 1)
  }
  const wrong: string[] = []
  const sentTo = new Map(journal.map((exchange) => [nameIn(exchange), exchange]))
  for (const seen of history) {
    const exchange = sentTo.get(seen.name)
    const full = exchange === undefined ? 0 : priceOf(exchange)
    const ref = seen.requestId ?? ''
    const cost = charged.get(ref) ?? 0
    const facts = `${seen.name} ${ref} charged ${cost} of ${full}, ${consumed.get(ref) ?? 0} rows, told ${seen.cost}`
    if (seen.ended && (consumed.get(ref) !== 1 || cost !== full || seen.cost !== full)) wrong.push(`ended: ${facts}`)
    if (seen.ended && exchange?.finished !== true) wrong.push(`ended, but the provider had not: ${facts}`)
    if (cost > full) wrong.push(`charged too much: ${facts}`)
    if ((consumed.get(ref) ?? 0) > 1) wrong.push(`charged twice: ${facts}`)
  }
  // There must be no charge without a call.
  const asked = journal.reduce((sum, exchange) => sum + priceOf(exchange), 0)
  const total = [...charged.values()].reduce((sum, cost) => sum + cost, 0)
  if (total > asked) wrong.push(`charged ${total} in all, for calls worth ${asked}`)
  expect(wrong).toEqual([])
  expect(await app.audit()).toEqual([])
  expect(await shownFor(app, userId)).toEqual({ hours: total, logs: total })
}

/** The sums of the figures and of the log; both are written with the charge. */
async function shownFor({ db }: TestApp, userId: number) {
  const hours = await (await upToDateFigures(db))
    .selectFrom('usage_hours')
    .select('quota')
    .where('user_id', '=', userId)
    .execute()
  const logs = await db.selectFrom('logs').select('quota').where('user_id', '=', userId).where('type', '=', 2).execute()
  const sum = (rows: { quota: number }[]) => rows.reduce((total, { quota }) => total + quota, 0)
  return { hours: sum(hours), logs: sum(logs) }
}

const nameIn = ({ body }: Exchange) => /call-\d+-/.exec(JSON.stringify(body.messages))?.[0] ?? ''

/** The usage that the provider reports, computed from its request. */
function priceOf({ body, model }: Exchange) {
  const words = Number(/\/(\d+)$/.exec(model)?.[1] ?? 10)
  return Math.ceil(JSON.stringify(body.messages).length / 4) + words
}

/** Holds that are still open, once the condition is met or time is up. */
export async function untilNoneOpen(app: TestApp, withinMs: number) {
  const deadline = Date.now() + withinMs
  for (;;) {
    const open = await app.db.selectFrom('holds').select('id').where('state', '=', 0).execute()
    if (open.length === 0 || Date.now() > deadline) return open
    await Bun.sleep(20)
  }
}
