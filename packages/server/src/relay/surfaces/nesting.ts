import { failureOf, VendorError } from '@tollgate/providers'
import { isTooDeep } from '../../common/too-deep.ts'

/** Throws for values that are too deep to be serialised. */
export const refuseTooDeep = (value: unknown) => {
  if (isTooDeep(value)) throw new VendorError(failureOf('client', 'The request has too many levels'))
}
