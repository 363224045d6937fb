import { expect, setDefaultTimeout, test } from 'bun:test'
import { batchFixture, batchOf, chatLines, LINE_COST } from '../testing/batch-fixture.ts'
import { fakeBatches } from '../testing/vendors/fake-batches.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/** A body in pieces of this many bytes. */
const inPieces = (text: string, size: number) => {
  const bytes = new TextEncoder().encode(text)
  let index = 0
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = bytes.slice(index * size, ++index * size)
      if (piece.length === 0) controller.close()
      else controller.enqueue(piece)
    },
  })
}

test('results that arrive in pieces, within characters and lines, are charged line by line', async () => {
  const { begin, vendor, follow, account, onlyLog, app } = await batchFixture()
  const before = await account()
  await begin(3)
  vendor.end('completed')
  vendor.serves((text) => new Response(inPieces(text.replaceAll('High tide.', '高潮。'), 7)))
  await follow()
  expect(await account()).toMatchObject({ quota: before.quota - 3 * LINE_COST, held: 0 })
  expect((await onlyLog()).detail.batch).toMatchObject({ answered: 3, unreported: 0 })
  expect(await app.audit()).toEqual([])
})

test('results that break off are not charged in part: they are read again, and charged once in full', async () => {
  const { begin, vendor, follow, account, charges, app } = await batchFixture()
  const before = await account()
  await begin(3)
  const { held } = await account()
  vendor.end('completed')
  for (const broken of [
    (text: string) => new Response(inPieces(text.slice(0, text.length - 20), 400)),
    (text: string) => new Response(`${text}\n<html>`),
    () => new Response('<html>', { status: 503 }),
  ]) {
    vendor.serves(broken)
    await follow()
    expect(await account()).toEqual({ ...before, held })
    expect(await charges()).toEqual([])
  }
  vendor.serves(undefined)
  await follow()
  expect(await account()).toMatchObject({ quota: before.quota - 3 * LINE_COST, held: 0 })
  expect(await charges()).toHaveLength(1)
  expect(await app.audit()).toEqual([])
})

test('a client that leaves a download ends it at the vendor, and can start it again', async () => {
  const { app, key, openai, begin, vendor } = await batchFixture()
  const { id } = await begin(3)
  vendor.end('completed')
  const { output_file_id } = await openai.batches.retrieve(id)
  const left = Promise.withResolvers<void>()
  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024).fill(32)),
      cancel: () => left.resolve(),
    })
  vendor.serves(() => new Response(endless()))
  const client = new AbortController()
  const { body } = await fetch(`${app.url}/v1/files/${output_file_id}/content`, {
    ...{ headers: { authorization: `Bearer ${key}` }, signal: client.signal },
  })
  await body?.getReader().read()
  client.abort()
  await left.promise
  vendor.serves(undefined)
  expect(await (await openai.files.content(output_file_id ?? '')).text()).toContain('line-2')
})

test('a vendor that does not answer holds up no batch of another channel', async () => {
  const { begin, upload, openai, vendor, follow, account, channel, app } = await batchFixture()
  for (let batches = 0; batches < 6; batches++) await begin(1)
  const other = fakeBatches()
  await channel('second-model', { type: 1, base_url: other.url, key: 'k-other' })
  const { id } = await upload(chatLines(1, { model: 'second-model' }))
  await openai.batches.create(batchOf(id))
  other.end('completed')
  const silence = Promise.withResolvers<void>()
  const isAsked = Promise.withResolvers<void>()
  const isRead = Promise.withResolvers<void>()
  vendor.dies(() => {
    isAsked.resolve()
    return silence.promise.then(() => new Response('', { status: 503 }))
  })
  other.serves((text) => {
    isRead.resolve()
    return new Response(text)
  })
  const before = vendor.asked.length
  const following = follow()
  await Promise.all([isAsked.promise, isRead.promise])
  // The silent vendor was asked for one of its batches.
  expect(vendor.asked.length).toBe(before + 1)
  silence.resolve()
  await following
  expect((await openai.batches.list()).data[0]).toMatchObject({ status: 'completed' })
  expect((await account()).held).toBeGreaterThan(0)
  expect(await app.audit()).toEqual([])
})
