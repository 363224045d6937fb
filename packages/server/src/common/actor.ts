/** The calling account, as currently stored. */
export interface Actor {
  id: number
  username: string
  role: number
  group: string
  /** How the caller authenticated. An access token can do less: it cannot create another one or change the password. */
  by: 'session' | 'access token'
  /** The session's hash, to keep it when all others are ended. */
  sessionHash: string | undefined
}
