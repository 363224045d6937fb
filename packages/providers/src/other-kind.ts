import { z } from 'zod'
import { isFields } from './json.ts'
import { badRequest } from './strict.ts'

/*
 * Lists in which every entry has a type grow with each version of a vendor's API. An entry of an unknown type is read as `other`,
 * so that it can be refused by its name, or dropped and named in the log, instead of failing with a list of all known types.
 */

export const Other = z.looseObject({ type: z.literal('other'), kind: z.string() })

/** Entries of all types but these become `other`. */
export const asKnown = (known: readonly string[]) => (entry: unknown) =>
  isFields(entry) && typeof entry.type === 'string' && !known.includes(entry.type)
    ? { ...entry, type: 'other', kind: entry.type }
    : entry

/** A type comes from the caller and is shown and logged, so it is bounded. */
export const shownKind = (kind: string) => kind.slice(0, 64).replaceAll(/[^\w.-]/g, '_')

/** Content that a model would have to see. */
export const refusedKind = (param: string, kind: string) =>
  badRequest(`${param}.type`, `content of the type '${shownKind(kind)}' can not be given to this channel's model`)
