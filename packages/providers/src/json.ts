import type { z } from 'zod'
import { failureOf, VendorError } from './failure.ts'

export type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The members of an object; none for anything else. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Parses a vendor's JSON. Truncated JSON is a transient failure, not the caller's mistake. */
export function parseVendorJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw malformed(cause)
  }
}

/** For text that may be JSON: the body of an error, the arguments of a call. JSON itself has no `undefined`. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses a vendor's answer with the smallest schema we need. A known kind that is malformed is the vendor's failure. */
export function parseVendor<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw malformed(parsed.error)
}

export const malformed = (cause: unknown) =>
  new VendorError(failureOf('server', 'The upstream sent a malformed answer', { code: 'malformed_answer' }), { cause })

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** An empty list asks for nothing, and some vendors refuse it. */
export const filled = <T>(list: T[] | undefined) => (list?.length ? list : undefined)

/** The same object without the members that are undefined: absent and undefined are different things on the wire. */
export function defined<T extends object>(value: T): Defined<T> {
  // The type describes exactly this: only undefined members are left out.
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Defined<T>
}
