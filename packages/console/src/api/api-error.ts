/** A failed call. `status` is 200 when the server refused with `success: false`. */
export class ApiError extends Error {
  readonly status: number
  /** The request field that the error is about. */
  readonly field: string | undefined
  /** Of a refused edit: what is stored now. */
  readonly changed: Readonly<Record<string, unknown>> | undefined

  constructor(
    message: string,
    status: number,
    { field, changed }: { field?: string | undefined; changed?: Readonly<Record<string, unknown>> | undefined } = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.field = field
    this.changed = changed
  }
}
