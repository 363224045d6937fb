import { expect, test } from 'bun:test'
import ipaddr from 'ipaddr.js'
import { readConfig } from '../common/config.ts'
import { testApp } from '../testing/app.ts'
import { makeAdmin, makeUser } from '../testing/makers.ts'
import { clientAddress, isTrustedAddress, limitKey } from './client-address.ts'

const networks = (text: string) => readConfig({ TRUSTED_PROXIES: text }).trustedProxies

test('without trusted proxies the address is that of the socket, whatever the header says [R3.17]', () => {
  expect(clientAddress('203.0.113.9', null, [])).toBe('203.0.113.9')
  expect(clientAddress('203.0.113.9', '198.51.100.1', [])).toBe('203.0.113.9')
  expect(clientAddress('10.0.0.1', '198.51.100.1', networks('192.168.0.0/16'))).toBe('10.0.0.1')
})

test('behind trusted proxies the client is the last address that is not one of them', () => {
  const trusted = networks('10.0.0.0/8, 192.0.2.7, fd00::/8')
  expect(clientAddress('10.0.0.1', '198.51.100.1', trusted)).toBe('198.51.100.1')
  expect(clientAddress('10.0.0.1', '198.51.100.1, 192.0.2.7, 10.9.9.9', trusted)).toBe('198.51.100.1')
  expect(clientAddress('fd00::5', '2001:db8::1', trusted)).toBe('2001:db8::1')
})

test('what a client itself writes into the header is never trusted', () => {
  const trusted = networks('10.0.0.0/8')
  // The proxy appends the address that it saw; everything further left came from the client.
  expect(clientAddress('10.0.0.1', '127.0.0.1, 8.8.8.8, 203.0.113.9', trusted)).toBe('203.0.113.9')
  expect(clientAddress('10.0.0.1', '10.0.0.5, 203.0.113.9', trusted)).toBe('203.0.113.9')
})

test('an invalid header is ignored', () => {
  const trusted = networks('10.0.0.0/8')
  for (const header of ['', 'unknown', '_hidden', '203.0.113.9, nonsense', '203.0.113.9:1234', '7', '0x7f.1', ',']) {
    expect(clientAddress('10.0.0.1', header, trusted)).toBe('10.0.0.1')
  }
  expect(clientAddress('10.0.0.1', '10.0.0.2, 10.0.0.3', trusted)).toBe('10.0.0.1')
  expect(clientAddress('', '203.0.113.9', trusted)).toBe('')
})

test('an IPv4 address mapped into IPv6 is the IPv4 address', () => {
  const trusted = networks('10.0.0.0/8')
  expect(clientAddress('::ffff:203.0.113.9', null, [])).toBe('203.0.113.9')
  expect(clientAddress('::ffff:10.0.0.1', '::ffff:cb00:7109', trusted)).toBe('203.0.113.9')
  expect(isTrustedAddress('::ffff:10.0.0.1', trusted)).toBe(true)
  expect(isTrustedAddress('::ffff:11.0.0.1', trusted)).toBe(false)
  expect(isTrustedAddress('nonsense', trusted)).toBe(false)
})

test('limits count an IPv6 customer by their network', () => {
  expect(limitKey('203.0.113.9')).toBe('203.0.113.9')
  expect(limitKey('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(limitKey('2001:db8:1:2:ffff::1')).toBe('2001:db8:1:2::/64')
  expect(limitKey('2001:db8:1:3::1')).not.toBe(limitKey('2001:db8:1:2::1'))
  expect(limitKey('fe80::1%eth0')).toBe('fe80::/64')
  expect(limitKey('')).toBe('')
})

test('the audit log contains the client’s address, also behind a proxy', async () => {
  const behind = await testApp({ trustedProxies: [ipaddr.parseCIDR('127.0.0.0/8')] })
  const forged = { 'x-forwarded-for': '8.8.8.8, 203.0.113.9', 'x-real-ip': '1.1.1.1', forwarded: 'for=1.1.1.1' }
  const { client } = await makeAdmin(behind)
  const { id } = await makeUser(behind)
  await client.put('/api/user/', { id, display_name: 'x' }, forged)
  expect((await client.get('/api/audit')).data[0].ip).toBe('203.0.113.9')

  const open = await testApp()
  const other = await makeAdmin(open)
  const target = await makeUser(open)
  await other.client.put('/api/user/', { id: target.id, display_name: 'x' }, forged)
  expect((await other.client.get('/api/audit')).data[0].ip).toBe('127.0.0.1')
})
