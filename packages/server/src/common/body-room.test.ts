import { expect, test } from 'bun:test'
import { createBodyRoom } from './body-room.ts'
import { GatewayError } from './errors.ts'

const MB = 1024 * 1024
const ALICE = { userId: 1 }
const BOB = { userId: 2 }

const announcing = (bytes: number) =>
  new Request('http://gate.test/', { method: 'POST', headers: { 'content-length': String(bytes) } })

/** A room with a way to start receiving a body, and to end it. */
function roomOf(options: Parameters<typeof createBodyRoom>[0]) {
  const room = createBodyRoom(options)
  const order: string[] = []
  const receive = (name: string, bytes: number, user = ALICE) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const done = room.receive(user, announcing(bytes), () => {
      order.push(name)
      return promise
    })
    return { done, end: resolve, fail: reject }
  }
  return { room, order, receive }
}

test('bodies of a user wait, in order, until those before them have been received', async () => {
  const { room, order, receive } = roomOf({ room: 10 * MB })
  const [first, second] = [receive('first', 6 * MB), receive('second', 6 * MB)]
  const third = receive('third', MB)
  const other = receive('other', 9 * MB, BOB)
  await Bun.sleep(0)
  expect(order).toEqual(['first', 'other'])
  first.end()
  await first.done
  await Bun.sleep(0)
  expect(order).toEqual(['first', 'other', 'second', 'third'])
  for (const one of [second, third, other]) one.end()
  await Promise.all([second.done, third.done, other.done])
  expect([room.taken(1), room.taken(2)]).toEqual([0, 0])
})

test('small bodies never wait', async () => {
  const { order, receive } = roomOf({ room: MB })
  receive('large', MB)
  receive('small', 64 * 1024)
  await Bun.sleep(0)
  expect(order).toEqual(['large', 'small'])
})

test('a body that fails, or is announced as larger than all there is, leaves its room', async () => {
  const { room, order, receive } = roomOf({ room: MB })
  const huge = receive('huge', 50 * MB)
  const next = receive('next', MB)
  huge.fail(new Error('The client has left'))
  await expect(huge.done).rejects.toThrow('left')
  await Bun.sleep(0)
  expect(order).toEqual(['huge', 'next'])
  next.end()
  await next.done
  expect(room.taken(1)).toBe(0)
})

test('a body that waits too long is refused, and no longer blocks smaller ones behind it', async () => {
  const { order, receive } = roomOf({ room: 2 * MB, waitMs: 20 })
  receive('first', 1.5 * MB)
  const large = receive('large', MB)
  const behind = receive('behind', 0.5 * MB)
  await expect(large.done).rejects.toThrow(GatewayError)
  await Bun.sleep(0)
  expect(order).toEqual(['first', 'behind'])
  behind.end()
  await behind.done
})
