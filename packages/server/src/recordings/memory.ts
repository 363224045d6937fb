export type Memory = ReturnType<typeof createMemory>

/** The memory limit of all unwritten recordings of a node. */
export const createMemory = (max: number) => {
  let held = 0
  return {
    /** False when there is no room. */
    take(bytes: number) {
      if (held + bytes > max) return false
      held += bytes
      return true
    },
    free(bytes: number) {
      held -= bytes
    },
    held: () => held,
  }
}
