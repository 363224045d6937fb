/** A user's role. Always compared with `>=`, so a higher role may do everything a lower one may. */
export const Role = { user: 1, admin: 10, root: 100 } as const

export const isAdmin = (role: number) => role >= Role.admin
export const isRoot = (role: number) => role >= Role.root
