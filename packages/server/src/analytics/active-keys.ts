/** The keys that made calls, each after its user's number, and these users. */
export const createActiveKeys = () => {
  const keys = new Set<string>()
  const users = new Set<number>()
  return {
    keys,
    users,
    add(line: string, userId = Number.parseInt(line, 10)) {
      keys.add(line)
      users.add(userId)
    },
  }
}
