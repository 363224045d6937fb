import { failureOf, VendorError } from '@tollgate/providers'
import type { Call } from './call.ts'

/* Members of a caller's body that an adapter has to understand. */

/** One text or several; token ids are a dialect of their own that these vendors do not have. */
export function textsIn(value: unknown, name: string): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string')) return value
  throw notText(name)
}

/** Of a form: its texts. */
export function membersOf({ body, form }: Call): Record<string, unknown> {
  if (form === undefined) return body
  return { ...Object.fromEntries([...form].filter(([, value]) => typeof value === 'string')), ...body }
}

export const notText = (param: string) =>
  new VendorError(failureOf('client', `${param} must be text`, { status: 400, param }))
