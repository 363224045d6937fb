import type { ChatRequest, ChatTool } from './chat.ts'
import { defined, fieldsOf, jsonOrUndefined, textOf } from './json.ts'

/*
 * OpenAI's custom tools take plain text where functions take an object. Other vendors have functions only: they get a
 * function with one text argument, and its grammar is described to the model instead of being enforced. The internal format
 * always has that object; only OpenAI's dialects unwrap the text again.
 */

interface Grammar {
  syntax?: string | undefined
  definition?: string | undefined
}

export function customTool(own: { name: string; description?: string | undefined; grammar?: Grammar | undefined }) {
  const { name, description, grammar } = own
  const formatHint =
    grammar?.definition && `The input has to match this ${grammar.syntax ?? ''} grammar:\n${grammar.definition}`
  return defined({
    name,
    description: [description, formatHint].filter((text) => text).join('\n\n') || undefined,
    parameters: {
      type: 'object',
      properties: { input: { type: 'string', description: 'The whole input of the tool, as plain text' } },
      required: ['input'],
      additionalProperties: false,
    },
    custom: defined({ description, grammar: grammar === undefined ? undefined : defined(grammar) }),
  }) satisfies ChatTool
}

export const customArguments = (input: string) => JSON.stringify({ input })

/** The same in pieces: the text of each piece is known before the next, and the object is closed after the last one. */
export const customPiece = (input: string, isFirst: boolean) =>
  `${isFirst ? '{"input":"' : ''}${JSON.stringify(input).slice(1, -1)}`

export const CUSTOM_END = '"}'

/** Falls back to the raw text when the model stopped early or did not produce the object. */
export const customInput = (args: string) => textOf(fieldsOf(jsonOrUndefined(args)).input) ?? args

export const customNames = ({ tools = [] }: ChatRequest): ReadonlySet<string> =>
  new Set(tools.flatMap(({ name, custom }) => (custom === undefined ? [] : [name])))
