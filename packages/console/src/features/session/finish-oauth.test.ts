import { expect, test } from 'bun:test'
import { ApiError } from '../../api/api-error.ts'
import { finishOAuth } from './finish-oauth.ts'

const user = { id: 1, username: 'octo', display_name: '', role: 1, status: 1, default_password: false }

/** Runs against a list of answers and records the pauses instead of waiting. */
async function finish(...answers: (Error | { message: string; data: typeof user | null | undefined })[]) {
  const pauses: number[] = []
  const retries: number[] = []
  const outcome = await finishOAuth({
    ask: async () => {
      const answer = answers.shift()
      if (answer === undefined || answer instanceof Error) throw answer ?? new TypeError('offline')
      return answer
    },
    onRetry: (count) => retries.push(count),
    wait: async (ms) => void pauses.push(ms),
  })
  return { outcome, pauses, retries }
}

test('the message "bind" means that an account was bound [R4.17]', async () => {
  for (const data of [undefined, null, user]) {
    const { outcome, retries } = await finish({ message: 'bind', data })
    expect({ outcome, retries }).toEqual({ outcome: { kind: 'bound' }, retries: [] })
  }
})

test('any other success signs in [R4.18]', async () => {
  expect((await finish({ message: '', data: user })).outcome).toEqual({ kind: 'entered', user })
})

test('a refusal is not repeated [R4.19]', async () => {
  const { outcome, pauses } = await finish(new ApiError('bad code', 200))
  expect(outcome.kind).toBe('refused')
  expect(pauses).toEqual([])
})

test('a failed call is tried three times more, after 2, 4 and 6 seconds [R4.20 R4.21]', async () => {
  const { outcome, pauses, retries } = await finish()
  expect(outcome).toEqual({ kind: 'gaveUp' })
  expect(pauses).toEqual([2000, 4000, 6000])
  expect(retries).toEqual([1, 2, 3])
})

test('a retry that succeeds counts', async () => {
  const { outcome } = await finish(new ApiError('bad gateway', 502), new TypeError('offline'), {
    message: '',
    data: user,
  })
  expect(outcome.kind).toBe('entered')
})
