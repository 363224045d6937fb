/** A failed call. `status` is 200 when the server refused with `success: false`. */
export class ApiError extends Error {
  readonly status: number
  /** The request field that the error is about. */
  readonly field: string | undefined

  constructor(message: string, status: number, field?: string) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.field = field
  }
}
