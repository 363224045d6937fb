export interface Job {
  name: string
  everySec: number
  /** For what each node does by itself; everything else is done by one of them. */
  onEveryNode?: true
  /** Nothing is to be done as far as this node knows: it does not even look whose turn it is. */
  isIdle?(): boolean
  run(): Promise<unknown>
}
