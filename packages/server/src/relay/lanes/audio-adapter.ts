import { failureOf, type Provider, VendorError } from '@tollgate/providers'
import type { Route } from '../../catalog/snapshot.ts'
import type { Call } from '../surfaces/call.ts'
import { membersOf, notText } from '../surfaces/call-members.ts'
import { fetchContent, isChannelHost } from './inline-content.ts'
import type { OperationAdapter } from './operation-adapter.ts'

/** Speech in OpenAI's format: audio in the requested encoding, if the vendor has it. */
export const speechAdapter: OperationAdapter = {
  suits: (_, { provider }) => provider?.speech !== undefined,

  encode(call, { route, access, context, model }) {
    const { input, voice, instructions, speed } = call.body
    if (typeof input !== 'string') throw notText('input')
    formatOf(call, route)
    const parameters = {
      ...(typeof voice === 'string' ? { voice } : {}),
      ...(typeof instructions === 'string' && instructions !== '' ? { instructions } : {}),
      ...(typeof speed === 'number' ? { speed } : {}),
    }
    return offered(route, 'speech').encode({ model, input, ...parameters }, access, context)
  },

  async show(call, route, body, { http }) {
    const { sound, usage } = offered(route, 'speech').decode(body, formatOf(call, route))
    if ('bytes' in sound) return { bytes: sound.bytes, type: sound.mimeType, usage }
    const { mimeType, base64 } = await fetchContent(sound.url, http, {
      policy: isChannelHost(sound.url, route) ? 'admin' : 'user',
    })
    return { bytes: new Uint8Array(Buffer.from(base64, 'base64')), type: mimeType, usage }
  },
}

/** Transcripts in OpenAI's format: as JSON, or as plain text. */
export const transcriptionAdapter: OperationAdapter = {
  suits: (_, { provider }) => provider?.transcription !== undefined,

  async encode(call, { route, access, context, model }) {
    const file = call.form?.get('file')
    if (!(file instanceof Blob)) throw refusedParameter('file', 'file must be a file')
    const { language, prompt } = membersOf(call)
    if (!TRANSCRIPTS.includes(transcriptFormat(call)))
      throw refusedParameter('response_format', "This channel answers 'json' or 'text'")
    const audio = {
      mimeType: file.type || 'audio/mpeg',
      base64: Buffer.from(await file.arrayBuffer()).toString('base64'),
    }
    const hints = {
      ...(typeof language === 'string' ? { language } : {}),
      ...(typeof prompt === 'string' ? { prompt } : {}),
    }
    return offered(route, 'transcription').encode({ model, audio, ...hints }, access, context)
  },

  show(call, route, body) {
    const { text, usage } = offered(route, 'transcription').decode(body)
    if (transcriptFormat(call) === 'json') return { shown: { text }, usage }
    return { bytes: new TextEncoder().encode(text), type: 'text/plain; charset=utf-8', usage }
  },
}

const TRANSCRIPTS = ['json', 'text']

const transcriptFormat = (call: Call) => String(membersOf(call).response_format ?? 'json')

function formatOf({ body: { response_format } }: Call, route: Route) {
  const { formats } = offered(route, 'speech')
  if (response_format === undefined) return formats[0]
  const format = formats.find((name) => name === response_format)
  if (format !== undefined) return format
  throw refusedParameter('response_format', `This channel speaks ${formats.join(' or ')}`)
}

function offered<K extends 'speech' | 'transcription'>({ provider }: Route, kind: K): NonNullable<Provider[K]> {
  const adapter = provider?.[kind]
  if (adapter === undefined) throw new VendorError(failureOf('client', `This channel does not offer ${kind}`))
  return adapter
}

const refusedParameter = (param: string, message: string) =>
  new VendorError(failureOf('client', message, { status: 400, param, code: 'unsupported_parameter' }))
