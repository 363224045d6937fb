import { isRegion } from '@tollgate/contract'
import { failureOf, VendorError } from './failure.ts'

/*
 * Values inserted into URLs come from settings and callers. In a host they must be a single label; in a path they are one
 * segment (or several, for names with slashes), percent-encoded, and never `..`.
 */

/** A region as part of a host. Older channels may hold an unvalidated one. */
export function regionInHost(region: string) {
  if (isRegion(region)) return region
  throw new VendorError(failureOf('auth', 'The region of this channel is not a region', { code: 'malformed_region' }))
}

/** One segment. An `@` needs no escape, and some vendors' names begin with it. */
export function pathSegment(text: string) {
  if (text === '.' || text === '..') throw notAName()
  return encodeURIComponent(text.toWellFormed()).replaceAll('%40', '@')
}

/** A name of several segments, such as `owner/model`. */
export const pathSegments = (text: string) => text.split('/').map(pathSegment).join('/')

const notAName = () =>
  new VendorError(failureOf('client', 'This name can not be part of an address', { status: 404, code: 'invalid_name' }))
