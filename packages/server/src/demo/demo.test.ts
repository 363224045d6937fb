import { expect, onTestFinished, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seconds, systemClock } from '../common/clock.ts'
import { readConfig } from '../common/config.ts'
import { createLog } from '../common/log.ts'
import { openDatabase } from '../database/client.ts'
import { auditLedger } from '../ledger/audit/audit.ts'
import { startDemo } from './demo.ts'

test('the demo shows a week of calls that were really relayed, and its ledger adds up', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-demo-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const said: string[] = []
  const config = readConfig({ DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1' }, {})
  const demo = await startDemo(
    config,
    createLog((line) => said.push(line)),
  )
  onTestFinished(() => demo.stop())
  const password = /user root, password ([\w-]+)/.exec(said.join('\n'))?.[1]
  const calls = Number(/"calls":(\d+)/.exec(said.join('\n'))?.[1])

  const ask = async (path: string, init: RequestInit = {}) => fetch(new URL(path, demo.url), init)
  const login = await ask('/api/user/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'root', password }),
  })
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
  const logs = await ask('/api/log/?p=0&type=2', { headers: { cookie } })
  expect(Number(logs.headers.get('x-total-count'))).toBe(calls)
  const { data: days } = await (await ask('/api/user/dashboard', { headers: { cookie } })).json()
  expect(new Set(days.map(({ Day }: { Day: string }) => Day)).size).toBeGreaterThanOrEqual(6)

  const [file = ''] = readdirSync(dataDir).filter((name) => name.endsWith('.db'))
  const database = openDatabase(join(dataDir, file))
  onTestFinished(() => database.close())
  expect((await auditLedger(database, seconds(systemClock))).findings).toEqual([])
}, 60_000)
