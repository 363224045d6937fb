/** A call that did not succeed. `status` is 200 when the server understood and refused (`success: false`). */
export class ApiError extends Error {
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.name = 'ApiError'
    this.status = status
  }
}
