/** A call that did not succeed. `status` is 200 when the server understood and refused (`success: false`). */
export class ApiError extends Error {
  readonly status: number
  /** The field of the request that the refusal is about. */
  readonly field: string | undefined

  constructor(message: string, status: number, field?: string) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.field = field
  }
}
