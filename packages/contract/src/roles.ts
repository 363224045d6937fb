/** The role number of a user. The comparison is always `>=`, so a higher number can do all that a lower one may. */
export const Role = { user: 1, admin: 10, root: 100 } as const

export const isAdmin = (role: number) => role >= Role.admin
export const isRoot = (role: number) => role >= Role.root
