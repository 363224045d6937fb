export interface Job {
  name: string
  everySec: number
  /** Runs on every node; other jobs run on one of them. */
  onEveryNode?: true
  /** Nothing to do as far as this node knows: it does not even check whether the job is due. */
  isIdle?(): boolean
  run(): Promise<unknown>
}
