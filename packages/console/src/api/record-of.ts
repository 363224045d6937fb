import { ApiError } from './api-error.ts'

/** One record. A URL without a number has none, so the server is not asked. */
export function recordOf<T>(id: number, missing: string, read: () => Promise<T>): Promise<T> {
  return Number.isSafeInteger(id) && id > 0 ? read() : Promise.reject(new ApiError(missing, 200))
}
