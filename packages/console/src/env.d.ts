/// <reference types="vite/client" />

/** The version of the root package.json at build time. */
declare const __CONSOLE_VERSION__: string

interface ImportMetaEnv {
  /** Address of the server when the console is not served by it, for example `https://api.example.com`. */
  readonly VITE_SERVER_ADDRESS?: string
}
