import { expect, test } from 'bun:test'
import { encoded, failureFrom, offered } from '../testing/vendor-kit.ts'
import { palm } from './palm.ts'

test('a PaLM channel says that the service has ended, and what to use', async () => {
  const failure = await failureFrom(() => encoded(offered(palm, 'chat')))
  expect(failure).toMatchObject({ status: 410, blame: 'channel', code: 'discontinued' })
  expect(failure.message).toContain('Gemini (24)')
})
