import { expect, test } from 'bun:test'
import { DAY, HOUR } from '../common/time-units.ts'
import { networkOf, newNetworks, surge } from './unusual-use.ts'

const NOW = 1_900_000_000 - (1_900_000_000 % HOUR) + 600
const BOUNDS = { now: NOW, addressesMax: 200 }

const used = (address: string, ago: number) => ({ address, first_at: NOW - ago, last_at: NOW })

test('a network is the /24 of an IPv4 address and the /48 of an IPv6 address', () => {
  expect(networkOf('203.0.113.77')).toBe('203.0.113.0/24')
  expect(networkOf('::ffff:203.0.113.77')).toBe('203.0.113.0/24')
  expect(networkOf('2001:db8:1:2::9')).toBe('2001:db8:1::/48')
  expect(networkOf('no address')).toBe('no address')
})

test('a network is new for a day; another address of a known network is not', () => {
  const home = used('198.51.100.1', 5 * DAY)
  expect(newNetworks([home, used('198.51.100.200', HOUR)], BOUNDS)).toBeUndefined()
  expect(newNetworks([home, used('203.0.113.1', HOUR), used('203.0.113.9', 2 * HOUR)], BOUNDS)).toEqual({
    networks: ['203.0.113.0/24'],
    since: NOW - 2 * HOUR,
  })
  expect(newNetworks([home, used('203.0.113.1', DAY)], BOUNDS)).toBeUndefined()
})

test('without an older address there is no history, and a key used from everywhere is not marked', () => {
  expect(newNetworks([], BOUNDS)).toBeUndefined()
  expect(newNetworks([used('198.51.100.1', HOUR), used('203.0.113.1', HOUR)], BOUNDS)).toBeUndefined()
  const many = Array.from({ length: 200 }, (_, n) => used(`10.0.${n}.1`, n === 0 ? 3 * DAY : HOUR))
  expect(newNetworks(many, BOUNDS)).toBeUndefined()
})

test('a surge is an hour with more than five times the usual calls, and at least thirty', () => {
  const since = NOW - 2 * HOUR
  const hour = (ago: number, calls: number) => ({ start: NOW - (NOW % HOUR) - ago * HOUR, calls })
  const past = [hour(30, 4), hour(31, 8), hour(32, 0)]
  expect(surge([...past, hour(1, 31), hour(0, 12)], since)).toEqual({ calls: 31, usual: 6 })
  expect(surge([...past, hour(1, 30)], since)).toBeUndefined()
  expect(surge([hour(30, 1), hour(1, 29)], since)).toBeUndefined()
  expect(surge([hour(30, 1), hour(2, 30)], since)).toEqual({ calls: 30, usual: 1 })
  // Calls before the network was first seen do not count as its surge.
  expect(surge([hour(30, 1), hour(3, 500), hour(1, 40)], since)).toBeUndefined()
  expect(surge([hour(0, 500)], since)).toBeUndefined()
})
