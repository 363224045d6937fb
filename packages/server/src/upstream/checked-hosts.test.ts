import { expect, test } from 'bun:test'
import { createCheckedHosts } from './checked-hosts.ts'

/** A resolver that counts its queries. */
function counting(answer: (name: string, round: number) => string[]) {
  const asked: string[] = []
  return {
    asked,
    resolve: async (name: string) => {
      asked.push(name)
      return answer(name, asked.length)
    },
  }
}

test('IPv4 comes first, since it works on every machine', async () => {
  const hosts = createCheckedHosts(counting(() => ['2606:4700::1111', '1.1.1.1']))
  expect(await hosts('both.test', 'user')).toEqual(['1.1.1.1', '2606:4700::1111'])
})

test('a name with a final dot is resolved without it', async () => {
  const { resolve, asked } = counting(() => ['1.1.1.1'])
  await createCheckedHosts({ resolve })('dotted.test.', 'user')
  expect(asked).toEqual(['dotted.test'])
})

test('a refusal is not cached: the next request resolves again', async () => {
  const { resolve, asked } = counting((_, round) => (round === 1 ? ['10.0.0.1'] : ['1.1.1.1']))
  const hosts = createCheckedHosts({ resolve })
  await expect(hosts('moving.test', 'user')).rejects.toMatchObject({ code: 'outbound.refused_address' })
  expect(await hosts('moving.test', 'user')).toEqual(['1.1.1.1'])
  expect(asked).toHaveLength(2)
})

test('a thousand names are cached and no more, however many are resolved', async () => {
  const { resolve, asked } = counting(() => ['1.1.1.1'])
  const hosts = createCheckedHosts({ resolve, now: () => 0 })
  for (let name = 0; name <= 1000; name++) await hosts(`n${name}.test`, 'user')
  await hosts('n1000.test', 'user')
  expect(asked).toHaveLength(1001)
  await hosts('n0.test', 'user') // the oldest was evicted
  expect(asked).toHaveLength(1002)
})

test('the system’s resolver resolves this machine', async () => {
  expect(await createCheckedHosts()('localhost', 'admin')).toContain('127.0.0.1')
  await expect(createCheckedHosts()('localhost', 'user')).rejects.toMatchObject({ code: 'outbound.refused_address' })
})

test('an empty host is refused', async () => {
  await expect(createCheckedHosts()('', 'admin')).rejects.toMatchObject({ code: 'outbound.refused_address' })
})
