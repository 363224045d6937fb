import { failureOf, VendorError } from './failure.ts'

/**
 * The parts of a compound key such as `AppId|SecretId|SecretKey`. A key in another format is the channel's fault; the
 * message contains the format and never the key.
 */
export function keyParts<const Names extends readonly string[]>(
  key: string,
  { vendor, names, separator = '|' }: { vendor: string; names: Names; separator?: string },
): Record<Names[number], string> {
  const parts = key.split(separator).map((part) => part.trim())
  if (parts.length !== names.length || parts.includes('')) throw malformedKey(vendor, names.join(separator))
  // One part for each name: the lengths are equal.
  return Object.fromEntries(names.map((name, index) => [name, parts[index]])) as Record<Names[number], string>
}

export const malformedKey = (vendor: string, form: string) =>
  new VendorError(
    failureOf('auth', `The key of this ${vendor} channel is not of the form ${form}`, { code: 'malformed_key' }),
  )
