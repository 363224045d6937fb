import type { GroupRateLimits, RateLimits } from '@tollgate/contract'
import { setOptions } from './makers.ts'
import type { RelayFixture } from './relay-fixture.ts'

type Place = Pick<RelayFixture, 'app' | 'root' | 'payer'>

/** Limits of the payer's key, account and group, set as in the console. */
export const setLimits = async (
  { app, root, payer }: Place,
  { key, user, group }: { key?: RateLimits; user?: RateLimits; group?: Record<string, GroupRateLimits> },
) => {
  const [token] = (await payer.client.get('/api/token/')).data
  if (key !== undefined) await done(payer.client.put('/api/token/', { id: token.id, rate_limits: key }))
  if (user !== undefined) await done(root.put('/api/user/', { id: payer.id, rate_limits: user }))
  if (group !== undefined) await setOptions(app, { GroupRateLimits: JSON.stringify(group) })
}

/** How many of this many concurrent calls got that answer. */
export const atOnce = async (calls: number, call: (turn: number) => Promise<Response>) => {
  const statuses: Record<number, number> = {}
  const answers = Array.from({ length: calls }, async (_, turn) => {
    const answer = await call(turn)
    await answer.text()
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
  })
  await Promise.all(answers)
  return statuses
}

async function done(answer: Promise<{ success: boolean; message: string }>) {
  const { success, message } = await answer
  if (!success) throw new Error(message)
}
