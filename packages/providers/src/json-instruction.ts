import { ONLY_JSON } from './anthropic/body.ts'

/** The request for an answer in JSON, in words, for a vendor that takes no format beside tools. */
export const jsonInstruction = (schema?: unknown) =>
  schema === undefined ? ONLY_JSON : `${ONLY_JSON} It follows this schema: ${JSON.stringify(schema)}`
