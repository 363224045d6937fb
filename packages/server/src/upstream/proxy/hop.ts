export interface Login {
  user: string
  password: string
}

export interface Target {
  host: string
  port: number
}

/** A proxy whose addresses were checked. */
export interface Hop extends Login {
  scheme: 'http' | 'https' | 'socks5'
  host: string
  addresses: readonly string[]
  port: number
  /** How an https proxy proves who it is. */
  tls: Bun.TLSOptions | undefined
  /** Keeps apart what goes through different proxies, or as different users. */
  key: string
}
