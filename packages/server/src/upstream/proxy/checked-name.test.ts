import { expect, test } from 'bun:test'
import { refusal } from '../../testing/outside/refusal.ts'
import { createCheckedHosts } from '../checked-hosts.ts'
import { createCheckedName } from './checked-name.ts'

const REFUSED = { code: 'outbound.refused_address' }

/** Answers after the time that the check of an administrator's name waits. */
const slowly = (address: string) => {
  const answer = Promise.withResolvers<string[]>()
  const hosts = createCheckedHosts({ resolve: () => answer.promise })
  return { check: createCheckedName(hosts, 10), answer: () => answer.resolve([address]) }
}

const unresolvable = () =>
  createCheckedName(createCheckedHosts({ resolve: () => Promise.reject(new Error('no such name')) }))

test('behind a proxy, a name that nobody here set is waited for, however slow its resolver is', async () => {
  for (const address of ['169.254.169.254', '10.0.0.1', '::1']) {
    const { check, answer } = slowly(address)
    const checking = refusal(check('slow.example', 'user'))
    await Bun.sleep(30)
    answer()
    expect(await checking).toMatchObject(REFUSED)
  }
  const { check, answer } = slowly('93.184.215.14')
  const checking = check('slow.example', 'user')
  answer()
  await checking
})

test("an administrator's name is left to the proxy when its resolver is slow; this opens it to nobody else", async () => {
  const { check, answer } = slowly('10.0.0.1')
  await check('slow.example', 'admin')
  answer()
  expect(await refusal(check('slow.example', 'user'))).toMatchObject(REFUSED)
})

test('a name that cannot be resolved here is left to the proxy, unless it is one of a private network', async () => {
  const check = unresolvable()
  await check('files.example.com', 'user')
  await check('vllm', 'admin')
  for (const name of ['intranet', 'db.internal', 'printer.local', 'app.localhost', 'nas.home.arpa', 'a.corp'])
    expect(await refusal(check(name, 'user'))).toMatchObject(REFUSED)
})
