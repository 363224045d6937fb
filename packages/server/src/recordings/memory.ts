export type Memory = ReturnType<typeof createMemory>

/** How much all recordings of a node may hold in memory until they are written. */
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
