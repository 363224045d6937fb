import type { VendorAnswer } from '../vendors/strict-vendor.ts'

/* One conversation, held with every client library: a question with a picture, two calls at once, their results. */

export interface Setting {
  url: string
  key: string
  model: string
  streamed: boolean
}

/** What a client library made of the two answers. What it has no place for is undefined. */
export interface Understood {
  thinking: string | undefined
  text: string
  calls: { name: string; args: unknown }[]
  stopped: string | undefined
  tokens: { input: number; output: number }
  /** The text of the second answer. */
  answer: string
}

export type Client = (setting: Setting) => Promise<Understood>

export const SYSTEM = 'Be brief.'
export const QUESTION = 'What weather is it in this harbour, and what time?'
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
export const REPORT = '{"celsius":21,"sky":"clear"}'
export const TIME = '12:30'

/** As tools of schema libraries write it, with words that some vendors do not know. */
export const WEATHER_SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object' as const,
  properties: {
    city: { type: 'string', minLength: 1, description: 'The city' },
    unit: { anyOf: [{ const: 'celsius', type: 'string' }, { type: 'null' }], default: null },
    days: { type: ['integer', 'null'], exclusiveMinimum: 0 },
    where: { $ref: '#/$defs/place' },
  },
  required: ['city'],
  additionalProperties: false,
  $defs: { place: { type: 'object', properties: { lat: { type: 'number' } }, additionalProperties: false } },
}

export const CLOCK_SCHEMA = { type: 'object' as const, properties: {} }

export const FIRST: VendorAnswer = {
  thinking: { text: 'Both tools at once, ça marche.', signature: 'EpQBCkYIBxgCKkBi' },
  text: 'Let me look — 请稍等 🌊.',
  calls: [
    { id: 'toolu_weather_1', name: 'weather', args: { city: 'Brest', note: 'a "quoted" é\n' } },
    { id: 'toolu_clock_2', name: 'clock', args: {} },
  ],
  usage: { input: 1200, cached: 200, output: 90, thought: 30 },
}

export const SECOND: VendorAnswer = {
  text: 'Clear, 21 °C at half past twelve ☀.',
  usage: { input: 1400, cached: 0, output: 20, thought: 0 },
}

/** What a client has to have heard of it. */
export const UNDERSTOOD: Understood = {
  thinking: FIRST.thinking?.text,
  text: FIRST.text ?? '',
  calls: (FIRST.calls ?? []).map(({ name, args }) => ({ name, args })),
  stopped: 'calls',
  tokens: { input: 1200, output: 90 },
  answer: SECOND.text ?? '',
}
