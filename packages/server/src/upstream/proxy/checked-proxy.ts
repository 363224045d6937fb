export interface Login {
  user: string
  password: string
}

export interface Target {
  host: string
  port: number
}

/** A proxy whose addresses were checked. */
export interface CheckedProxy extends Login {
  scheme: 'http' | 'https' | 'socks5'
  host: string
  addresses: readonly string[]
  port: number
  /** The TLS identity of an https proxy. */
  tls: Bun.TLSOptions | undefined
  /** Keeps connections of different proxies or users apart. */
  key: string
}
