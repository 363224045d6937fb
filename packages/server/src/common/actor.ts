/** Who is calling, as the database knows the account at this moment. */
export interface Actor {
  id: number
  username: string
  role: number
  group: string
  /** How the caller proved it. An access token can do less: it cannot make another one or change the password. */
  by: 'session' | 'access token'
  /** The session's own hash, to keep it when all the others end. */
  sessionHash: string | undefined
}
