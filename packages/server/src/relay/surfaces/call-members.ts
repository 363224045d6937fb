import { failureOf, VendorError } from '@tollgate/providers'
import type { Call } from './call.ts'

/* Members of a caller's body that an adapter has to parse. */

/** One text or several; token ids are not supported by these vendors. */
export function textsIn(value: unknown, name: string): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string')) return value
  throw notText(name)
}

/** The text fields of a form. */
export function membersOf({ body, form }: Call): Record<string, unknown> {
  if (form === undefined) return body
  return { ...Object.fromEntries([...form].filter(([, value]) => typeof value === 'string')), ...body }
}

export const notText = (param: string) =>
  new VendorError(failureOf('client', `${param} must be text`, { status: 400, param }))
