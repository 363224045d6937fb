import { stripTrailingSlash } from '@tollgate/contract'

/** The server's address if configured, or '' for the origin that served the console. */
export const SERVER_ADDRESS = stripTrailingSlash(import.meta.env?.VITE_SERVER_ADDRESS ?? '')
