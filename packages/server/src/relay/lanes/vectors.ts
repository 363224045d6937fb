import { fieldsOf } from '../surfaces/fields.ts'

/** As OpenAI's own clients request them by default: 32-bit little-endian floats. */
export function packedFloats(vector: readonly number[]): string {
  const bytes = new DataView(new ArrayBuffer(vector.length * 4))
  for (const [index, value] of vector.entries()) bytes.setFloat32(index * 4, value, true)
  return Buffer.from(bytes.buffer).toString('base64')
}

type Fields = Record<string, unknown>

/**
 * An answer with indexed embeddings in the requested encoding; unchanged if it already is. Many compatible vendors ignore the
 * encoding: OpenAI's own client, which requests base64, would read their numbers as zeros.
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
