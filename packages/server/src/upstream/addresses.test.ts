import { expect, test } from 'bun:test'
import { classify, isAllowed, isForbiddenName } from './addresses.ts'

const PUBLIC = `1.1.1.1 8.8.8.8 100.63.255.255 100.128.0.1 172.32.0.1 2606:4700::1111
  ::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::1`

const PRIVATE = `10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 198.18.0.7 fc00::1 fd12:3456::1
  ::ffff:10.0.0.1 64:ff9b::a00:1 2002:c0a8:101::1`

const LOOPBACK = `127.0.0.1 127.255.255.254 ::1 ::ffff:127.0.0.1 ::ffff:7f00:1 64:ff9b::7f00:1 2002:7f00:1::`

const LINK_LOCAL = `169.254.169.254 169.254.0.1 169.254.170.2 fe80::1 fe80::1%eth0 febf::1
  ::ffff:169.254.169.254 ::ffff:a9fe:a9fe 64:ff9b::a9fe:a9fe 2002:a9fe:a9fe:: ::ffff:0:a9fe:a9fe`

const METADATA = `100.100.100.200 ::ffff:100.100.100.200 192.0.0.192 168.63.129.16 fd00:ec2::254 fd20:ce::254 fd00:42::42`

const NOT_A_HOST = `0.0.0.0 0.1.2.3 :: ::ffff:0.0.0.0 255.255.255.255 224.0.0.1 239.255.255.255 ff02::1
  192.0.2.1 198.51.100.1 203.0.113.1 240.0.0.1 2001:db8::1 3fff::1
  ::127.0.0.1 ::8.8.8.8 ::a9fe:a9fe fec0::1 2001::1 64:ff9b:1::a9fe:a9fe 100::1 4000::1`

const NOT_AN_ADDRESS = `localhost example.com 1.2.3 127.1 2130706433 0x7f.1 0177.0.0.1 256.1.1.1 1.2.3.4.5 [::1] 8.8.8.8:80`

const list = (text: string) => text.split(/\s+/)

test.each(list(PUBLIC))('%s is public', (address) => expect(classify(address)).toBe('public'))
test.each(list(PRIVATE))('%s is private', (address) => expect(classify(address)).toBe('private'))
test.each(list(LOOPBACK))('%s is loopback', (address) => expect(classify(address)).toBe('loopback'))
test.each(list(`${LINK_LOCAL} ${METADATA} ${NOT_A_HOST} ${NOT_AN_ADDRESS}`))('%s is forbidden', (address) =>
  expect(classify(address)).toBe('forbidden'),
)

test('an empty text is not an address', () => expect(classify('')).toBe('forbidden'))

test('an administrator may use private and loopback addresses, a user only public ones, nobody a forbidden one', () => {
  const one = ['8.8.8.8', '10.0.0.1', '127.0.0.1', '169.254.169.254']
  expect(one.filter((address) => isAllowed(address, 'admin'))).toEqual(['8.8.8.8', '10.0.0.1', '127.0.0.1'])
  expect(one.filter((address) => isAllowed(address, 'user'))).toEqual(['8.8.8.8'])
})

test('metadata services are recognised by name, with and without the final dot, in any case', () => {
  for (const name of ['metadata.google.internal', 'metadata.google.internal.', 'Metadata.Google.INTERNAL'])
    expect(isForbiddenName(name)).toBe(true)
  expect(isForbiddenName('metadata.example.com')).toBe(false)
})
