import { onTestFinished } from 'bun:test'
import { seconds } from '../common/clock.ts'
import type { CallLog } from '../ledger/books.ts'
import type { Command, HoldCommand, SettleCommand } from '../ledger/commands.ts'
import { createPostgresStore } from '../ledger/stores/postgres-store.ts'
import { createSqliteStore } from '../ledger/stores/sqlite-store.ts'
import type { LedgerStore } from '../ledger/stores/store.ts'
import { testApp } from './app.ts'
import { engine } from './database.ts'
import { makeUser } from './makers.ts'

/** The ledger of one user with one unlimited key, and the real store on it, to which commands can be submitted directly. */
export const ledgerFixture = async ({ quota = 1_000_000 } = {}) => {
  const app = await testApp()
  const user = await makeUser(app, { quota })
  const [token] = (await user.client.get('/api/token/')).data
  const { epoch } = await app.db.selectFrom('owners').select('epoch').executeTakeFirstOrThrow()
  const openStore = () => {
    const store = engine === 'postgres' ? createPostgresStore(app.location) : createSqliteStore(app.location)
    onTestFinished(() => store.close())
    return store
  }
  const tokenId = Number(token.id)
  const now = seconds(app.clock)
  return {
    app,
    user,
    tokenId,
    store: openStore(),
    /** Another process on the same database. */
    openStore,
    hold: (id: string, amount: number): HoldCommand => ({
      ...{ type: 'hold', id, epoch, userId: user.id, tokenId, amount, price: '{}', now },
    }),
    settle: (id: string, actual: number): SettleCommand => ({
      ...{ type: 'settle', id, actual, done: true, channelId: null, log: undefined, keepLog: false, now },
    }),
    account: () =>
      app.db
        .selectFrom('users')
        .select(['quota', 'held', 'used_quota', 'request_count'])
        .where('id', '=', user.id)
        .executeTakeFirstOrThrow(),
  }
}

/** The log row of a call that costs 4. */
export const callLog = (changes: Partial<CallLog> = {}): CallLog => ({
  ...{ user_id: 1, created_at: 5, type: 2, channel: 0, username: 'u', token_name: 't', model_name: 'm', quota: 4 },
  ...{ prompt_tokens: 1, completion_tokens: 3, content: '', content_en: '', request_id: 'a', elapsed_time: 0 },
  ...{ first_byte_time: 0, is_stream: 0, detail: '{}', session: null, outcome: 'success' },
  ...{ cached_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0, ...changes },
})

/** A store that records its batches, and can be paused. */
export const watchedStore = (store: LedgerStore) => {
  const batches: (readonly Command[])[] = []
  let gate: Promise<void> = Promise.resolve()
  let open = () => {}
  return {
    batches,
    /** From now on batches wait until `open` is called. */
    shut() {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      open = resolve
    },
    open: () => open(),
    store: {
      async run(commands) {
        batches.push(commands)
        await gate
        return store.run(commands)
      },
      close: () => store.close(),
    } satisfies LedgerStore,
  }
}
