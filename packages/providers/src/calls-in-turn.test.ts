import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { ChatPart } from './chat.ts'
import { VendorError } from './failure.ts'
import { fieldsOf } from './json.ts'
import { framesOf } from './testing/dialect-round-trip.ts'

/* Agents keep one item open while they read a stream: two at once, and both calls get the arguments of one. */

const DIALECTS = [
  { name: 'responses', opens: 'response.output_item.added', closes: 'response.output_item.done' },
  { name: 'anthropic/messages', opens: 'content_block_start', closes: 'content_block_stop' },
] as const

const ARGUMENTS = ['{"path":"low.txt"}', '{"path":"high.txt","lines":[1,2]}', '{}', '']

/** Deltas of all calls in any order in which each call stays in its own. */
const interleaved = fc.infiniteStream(fc.nat(ARGUMENTS.length - 1)).map((order): ChatPart[] => {
  const left = ARGUMENTS.map((text, call) => [
    { type: 'tool-call' as const, choice: 0, call, id: `c${call}`, name: 'read', arguments: '' },
    ...(text.match(/.{1,7}/g) ?? []).map((piece) => ({
      ...{ type: 'tool-call' as const, choice: 0, call, arguments: piece },
    })),
  ])
  const parts: ChatPart[] = []
  for (const call of order) {
    parts.push(...(left[call] ?? []).splice(0, 1))
    if (left.every((rest) => rest.length === 0)) break
  }
  return parts
})

test.each(DIALECTS)('$name: calls are sent one after the other, however a vendor mixes them', ({ name, ...events }) => {
  const encoded = (parts: ChatPart[]) => framesOf(name, parts).map(({ data }) => fieldsOf(JSON.parse(data)))
  fc.assert(
    fc.property(interleaved, (parts) => {
      let open = 0
      const args = new Map<unknown, string>()
      for (const event of encoded(parts)) {
        if (event.type === events.opens) open++
        if (event.type === events.closes) open--
        expect(open).toBeWithin(0, 2)
        const piece = name === 'responses' ? event.delta : fieldsOf(event.delta).partial_json
        const item = name === 'responses' ? event.output_index : event.index
        if (typeof piece === 'string') args.set(item, (args.get(item) ?? '') + piece)
      }
      expect(open).toBe(0)
      expect([...args.values()].sort()).toEqual(ARGUMENTS.filter((text) => text !== '').sort())
    }),
  )
  const call = (number: number, piece: string): ChatPart => ({
    ...{ type: 'tool-call', choice: 0, call: number, id: `c${number}`, name: 'read', arguments: piece },
  })
  // White space after a call that was complete is not worth the answer; more arguments are.
  expect(() => encoded([call(0, '{}'), call(1, '{'), call(0, ' \n'), call(1, '}')])).not.toThrow()
  expect(() => encoded([call(0, '{}'), call(1, '{'), call(0, '{}')])).toThrow(VendorError)
})
