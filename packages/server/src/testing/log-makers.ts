import { LogType } from '@tollgate/contract'
import type { TestApp } from './app.ts'

interface LogWish {
  user_id?: number
  username?: string
  created_at?: number
  type?: number
  channel?: number
  token_name?: string
  model_name?: string
  prompt_tokens?: number
  completion_tokens?: number
  quota?: number
  content?: string
  content_en?: string
}

/** Rows of the log as calls leave them, oldest first, with the hourly figures that go with consumption. */
export const makeLogs = async (app: TestApp, ...wishes: LogWish[]) => {
  for (const wish of wishes) {
    const row = {
      user_id: 1,
      username: 'root',
      created_at: 1000,
      type: 2,
      channel: 0,
      token_name: '',
      model_name: '',
      prompt_tokens: 0,
      completion_tokens: 0,
      quota: 0,
      content: '',
      content_en: '',
      ...wish,
    }
    await app.db.insertInto('logs').values(row).execute()
    if (row.type === LogType.consume) await countHour(app, row)
  }
}

type Consumed = Required<LogWish>

async function countHour(app: TestApp, row: Consumed) {
  const { user_id, username, token_name, model_name, channel, quota, prompt_tokens, completion_tokens } = row
  const figures = { request_count: 1, quota, prompt_tokens, completion_tokens }
  const hour = row.created_at - (row.created_at % 3600)
  await app.db
    .insertInto('usage_hours')
    .values({ user_id, username, token_name, model_name, channel, hour, ...figures })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'hour', 'model_name', 'token_name', 'channel', 'username'])
        .doUpdateSet((column) => ({
          request_count: column('usage_hours.request_count', '+', 1),
          quota: column('usage_hours.quota', '+', quota),
          prompt_tokens: column('usage_hours.prompt_tokens', '+', prompt_tokens),
          completion_tokens: column('usage_hours.completion_tokens', '+', completion_tokens),
        })),
    )
    .execute()
}
