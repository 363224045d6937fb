import { expect, test } from 'bun:test'
import { framing } from './framing.ts'

const OWN = 'https://gateway.example.com'

test('only https may be framed', () => {
  expect(framing('https://chat.example.com/', OWN).allowed).toBe(true)
  expect(framing('http://chat.example.com/', OWN).allowed).toBe(false)
  expect(framing('javascript:alert(1)', OWN).allowed).toBe(false)
  expect(framing('not an address', OWN).allowed).toBe(false)
})

test('a page of our own origin does not keep it in a frame', () => {
  expect(framing('https://chat.example.com/', OWN).sandbox).toContain('allow-same-origin')
  expect(framing('https://gateway.example.com/inside', OWN).sandbox).not.toContain('allow-same-origin')
})

test('no frame may take over the window', () => {
  expect(framing('https://chat.example.com/', OWN).sandbox).not.toContain('top-navigation')
})
