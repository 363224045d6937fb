import { expect, onTestFinished } from 'bun:test'
import { sealTarget } from '../alerts/alert-target.ts'
import { type TestApp, testApp } from './app.ts'
import type { Client } from './client.ts'
import { asRoot } from './makers.ts'
import { fakeWebhook } from './outside/fake-alert-services.ts'

type Fields = Record<string, unknown>

/** A gateway whose alerts go to a webhook. */
export const alertFixture = async (config: Parameters<typeof testApp>[0] = {}) => {
  const app = await testApp(config)
  const root = await asRoot(app)
  let fail: (() => Response | undefined) | undefined
  const hook = fakeWebhook({ fail: () => fail?.() })
  onTestFinished(() => hook.stop())
  const destination = await makeDestination(root, {
    way: 'webhook',
    address: hook.address,
    secret: hook.secret,
    language: 'en',
  })
  return {
    app,
    root,
    hook,
    destination,
    rule: (kind: string, fields: Fields = {}) => makeRule(root, { kind, destinations: [destination], ...fields }),
    failWith: (answer: (() => Response | undefined) | undefined) => {
      fail = answer
    },
    /** The events received since the last call. */
    delivered: () => hook.events.splice(0).map(({ event, title }) => `${event}: ${title}`),
    look: () => look(app),
  }
}

/** One run of the job. */
export const look = async (app: TestApp) => {
  for (const job of app.parts.jobs) if (job.name === 'alerts') await job.run()
}

/** Created by root, who may allow local addresses. */
export const makeDestination = async (client: Client, fields: Fields): Promise<number> => {
  const body = { owner: 'gateway', name: `to ${fields.way}`, private_allowed: true, ...fields }
  const { success, message, data } = await client.post('/api/alert/destination/', body)
  expect(message).toBe('')
  expect(success).toBe(true)
  return data
}

/** Points a stored destination at a server of this machine, which only root could allow when it was saved. */
export const pointAt = async (app: TestApp, id: number, target: { address: string; secret: string }) => {
  const rows = app.db.selectFrom('alert_destinations').selectAll().where('id', '=', id)
  const target_sealed = sealTarget(app.vault, await rows.executeTakeFirstOrThrow(), target)
  await app.db.updateTable('alert_destinations').set({ target_sealed }).where('id', '=', id).execute()
}

export const makeRule = async (client: Client, fields: Fields): Promise<number> => {
  const { message, data } = await client.post('/api/alert/rule/', { owner: 'gateway', threshold: 0, ...fields })
  expect(message).toBe('')
  return data
}
