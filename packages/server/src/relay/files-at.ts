/** The uploaded files of a call, and the only channel, and key of its pool, that has them. */
export interface FilesAt {
  channel: number
  /** Undefined without a pool. */
  key: number | undefined
  files: readonly { type: string; size: number }[]
}
