export interface Job {
  name: string
  everySec: number
  /** For what each node does by itself; everything else is done by one of them. */
  onEveryNode?: true
  run(): Promise<unknown>
}
