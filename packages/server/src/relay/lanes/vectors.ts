import { fieldsOf } from '../surfaces/fields.ts'

/** As OpenAI's own clients ask for them by default: 32 bits each, the low byte first. */
export function packedFloats(vector: readonly number[]): string {
  const bytes = new DataView(new ArrayBuffer(vector.length * 4))
  for (const [index, value] of vector.entries()) bytes.setFloat32(index * 4, value, true)
  return Buffer.from(bytes.buffer).toString('base64')
}

type Fields = Record<string, unknown>

/**
 * An answer with its vectors numbered, and in the form that was asked for; the same answer where they are. Many
 * imitators do not hear the question: OpenAI's own client, which asks for packed ones, would read their numbers as
 * zeros.
 */
export function inRequestedEncoding({ encoding_format: format }: Fields, body: Fields): Fields {
  if (!Array.isArray(body.data)) return body
  const rows = body.data.map(fieldsOf)
  const data = rows.map((row, at) => ({ ...row, index: row.index ?? at, embedding: inForm(format, row.embedding) }))
  const same = ({ index, embedding }: Fields, at: number) =>
    index === data[at]?.index && embedding === data[at]?.embedding
  return rows.every(same) ? body : { ...body, data }
}

const inForm = (format: unknown, vector: unknown) =>
  format === 'base64' && isVector(vector) ? packedFloats(vector) : vector

const isVector = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'number')
