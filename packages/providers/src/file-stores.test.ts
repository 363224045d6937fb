import { expect, test } from 'bun:test'
import { CHANNEL_TYPES } from '@tollgate/contract'
import { type DialectName, dialects } from './dialects.ts'
import { VendorError } from './failure.ts'
import { refuseUnsupportedFields } from './members.ts'
import type { Provider } from './provider.ts'
import { providerOf } from './registry.ts'
import { anAccess } from './testing/vendor-kit.ts'

/* Files in the stores of vendors: what is another vendor's is refused with the reason, by every channel type in every dialect. */

const STORED = {
  Google: ['gs://harbour/tide.pdf', 'https://generativelanguage.googleapis.com/v1beta/files/tide'],
  Anthropic: ['file_011CNha8iCJcU1wXNR6q4V8w'],
  OpenAI: ['file-6F2ksmvXxt4VdoqmHRw6kL'],
}

const user = (part: object) => ({ role: 'user', content: [part] })

/** The ways to name a file in each dialect. */
const NAMED: Record<DialectName, readonly ((name: string) => object)[]> = {
  'openai/chat': [
    (name) => ({ model: 'm', messages: [user({ type: 'file', file: { file_id: name } })] }),
    (name) => ({ model: 'm', messages: [user({ type: 'image_url', image_url: { url: address(name) } })] }),
  ],
  responses: [
    (name) => ({ model: 'm', input: [user({ type: 'input_file', file_id: name })] }),
    (name) => ({ model: 'm', input: [user({ type: 'input_file', file_url: address(name) })] }),
    (name) => ({ model: 'm', input: [user({ type: 'input_image', image_url: address(name) })] }),
  ],
  'anthropic/messages': [
    (name) => messages({ type: 'document', source: { type: 'file', file_id: name } }),
    (name) => messages({ type: 'document', source: { type: 'url', url: address(name) } }),
    (name) => messages({ type: 'image', source: { type: 'url', url: address(name) } }),
  ],
  'gemini/generate': [
    (name) => ({ contents: [{ role: 'user', parts: [{ fileData: { fileUri: address(name) } }] }] }),
    (name) => ({
      contents: [{ role: 'user', parts: [{ fileData: { fileUri: address(name), mimeType: 'image/png' } }] }],
    }),
  ],
}
const messages = (part: object) => ({ model: 'm', max_tokens: 9, messages: [user(part)] })
/** An id is no address. */
const address = (name: string) => (name.startsWith('file') ? `store://${name}` : name)

const refusalBy = (provider: Provider, dialect: DialectName, body: object) => {
  try {
    const request = dialects[dialect].parse(body, { model: 'some-model' })
    refuseUnsupportedFields({ provider, access: anAccess({}) }, request)
    return undefined
  } catch (error) {
    if (error instanceof VendorError) return error.failure
    throw error
  }
}

const CHATTING = CHANNEL_TYPES.flatMap(({ value }) => {
  const provider = providerOf(value)
  return provider?.chat === undefined ? [] : [{ value, provider }]
})
/** Who reads the files of a store. Vendors of OpenAI's dialect form ids in many ways, and decide themselves. */
const READERS = { Google: ['gemini', 'vertex'], Anthropic: ['anthropic'], OpenAI: ['openai', 'azure', 'coze'] }
const isCompatible = ({ openai, name }: Provider) => openai !== undefined && name !== 'openai' && name !== 'azure'

test.each(Object.entries(STORED))('a file at %s is refused with the reason by everyone else', (owner, names) => {
  const readers = READERS[owner as keyof typeof READERS] // the keys are the same
  let refused = 0
  for (const { provider } of CHATTING)
    for (const dialect of Object.keys(NAMED) as DialectName[])
      for (const body of NAMED[dialect].flatMap((write) => names.map(write))) {
        const failure = refusalBy(provider, dialect, body)
        const isId = !JSON.stringify(body).includes('://')
        if (readers.includes(provider.name)) {
          if (owner === 'Google' || isId) expect([provider.name, failure]).toEqual([provider.name, undefined])
          continue
        }
        if (isId && (isCompatible(provider) || provider.name === 'coze')) continue
        expect([provider.name, failure]).toMatchObject([provider.name, { status: 400, blame: 'request' }])
        expect(failure?.message).toContain("can not be read by this channel's model")
        if (isId || owner === 'Google') expect(failure?.message).toContain(`stored at ${owner}`)
        refused++
      }
  expect(refused).toBeGreaterThan(100)
})

test('an address that everyone can open, and content itself, are not refused', () => {
  const https = 'https://harbour.example/tide.png'
  for (const { provider } of CHATTING)
    for (const url of [https, 'data:image/png;base64,AAAA']) {
      const body = { model: 'm', messages: [user({ type: 'image_url', image_url: { url } })] }
      expect([provider.name, refusalBy(provider, 'openai/chat', body)]).toEqual([provider.name, undefined])
    }
})
