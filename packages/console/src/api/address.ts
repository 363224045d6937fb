import { stripTrailingSlash } from '@tollgate/contract'

/** Where the server is: a configured address, or '' for the origin that served the console. */
export const SERVER_ADDRESS = stripTrailingSlash(import.meta.env?.VITE_SERVER_ADDRESS ?? '')
