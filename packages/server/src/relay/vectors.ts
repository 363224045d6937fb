import { fieldsOf } from './fields.ts'

/** As OpenAI's own clients ask for them by default: 32 bits each, the low byte first. */
export function packedFloats(vector: readonly number[]): string {
  const bytes = new DataView(new ArrayBuffer(vector.length * 4))
  for (const [index, value] of vector.entries()) bytes.setFloat32(index * 4, value, true)
  return Buffer.from(bytes.buffer).toString('base64')
}

function unpackedFloats(text: string): number[] {
  const packed = Buffer.from(text, 'base64')
  return Array.from({ length: Math.floor(packed.length / 4) }, (_, index) => packed.readFloatLE(index * 4))
}

type Fields = Record<string, unknown>

/**
 * An answer with its vectors numbered, and in the form that was asked for; the same answer where they are. Many
 * imitators do not hear the question: OpenAI's own client, which asks for packed ones, would read their numbers as
 * zeros.
 */
export function asAskedFor({ encoding_format: format = 'float' }: Fields, body: Fields): Fields {
  if (!Array.isArray(body.data)) return body
  const rows = body.data.map(fieldsOf)
  const data = rows.map((row, at) => ({ ...row, index: row.index ?? at, embedding: inForm(format, row.embedding) }))
  const same = ({ index, embedding }: Fields, at: number) =>
    index === data[at]?.index && embedding === data[at]?.embedding
  return rows.every(same) ? body : { ...body, data }
}

function inForm(format: unknown, vector: unknown): unknown {
  if (format === 'base64' && isVector(vector)) return packedFloats(vector)
  return format === 'float' && typeof vector === 'string' ? unpackedFloats(vector) : vector
}

const isVector = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'number')
