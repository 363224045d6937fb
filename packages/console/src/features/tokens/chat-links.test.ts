import { expect, test } from 'bun:test'
import { chatLinks } from './chat-links.ts'

const needs = { key: 'abc', address: 'https://api.example.com', chatLink: '' }
const urlOf = (client: string, links = chatLinks(needs)) => links.find((link) => link.client === client)?.url

test('links contain the key with its prefix and the address, escaped [R2.91]', () => {
  expect(urlOf('AMA')).toBe('ama://set-api-key?server=https%3A%2F%2Fapi.example.com&key=sk-abc')
  expect(urlOf('OpenCat')).toBe('opencat://team/join?domain=https%3A%2F%2Fapi.example.com&token=sk-abc')
  const settings = new URL(urlOf('NextChat') ?? '').hash.split('settings=')[1] ?? ''
  expect(JSON.parse(decodeURIComponent(settings))).toEqual({ key: 'sk-abc', url: 'https://api.example.com' })
})

test('the operator’s chat site replaces the public one', () => {
  const links = chatLinks({ ...needs, chatLink: 'https://chat.example.com/' })
  expect(urlOf('NextChat', links)).toStartWith('https://chat.example.com/#/?settings=')
  expect(urlOf('LobeChat', links)).toStartWith('https://chat.example.com/?settings=')
  expect(urlOf('LobeChat')).toBeUndefined()
})
