import type { ChatRequest, ChatTool } from './chat.ts'
import { defined, fieldsOf, jsonOrUndefined, textOf } from './json.ts'

/*
 * OpenAI's custom tools take plain text where functions take an object. Other vendors have functions only: to them such
 * a tool is a function of one text, and its grammar is told to the model instead of being enforced. In the gateway's
 * tongue the arguments are always that object; only OpenAI's dialects take the text out of it again.
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

/** What a model that broke off, or did not keep to the form, wrote instead is the nearest to it. */
export const customInput = (args: string) => textOf(fieldsOf(jsonOrUndefined(args)).input) ?? args

/** The names of the caller's custom tools. */
export const customNames = ({ tools = [] }: ChatRequest): ReadonlySet<string> =>
  new Set(tools.flatMap(({ name, custom }) => (custom === undefined ? [] : [name])))
