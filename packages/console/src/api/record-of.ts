import { ApiError } from './api-error.ts'

/** One record. Without a number in the URL there is none, and no request is sent. */
export function recordOf<T>(id: number, missing: string, read: () => Promise<T>): Promise<T> {
  return Number.isSafeInteger(id) && id > 0 ? read() : Promise.reject(new ApiError(missing, 200))
}
