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

/** Rows of the log as calls leave them, oldest first. */
export const makeLogs = async (app: TestApp, ...wishes: LogWish[]) => {
  for (const wish of wishes) {
    await app.db
      .insertInto('logs')
      .values({
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
      })
      .execute()
  }
}
