import { ApiError } from './api-error.ts'

/** One record. An address that holds no number names none, which the server need not be asked. */
export function recordOf<T>(id: number, missing: string, read: () => Promise<T>): Promise<T> {
  return Number.isSafeInteger(id) && id > 0 ? read() : Promise.reject(new ApiError(missing, 200))
}
