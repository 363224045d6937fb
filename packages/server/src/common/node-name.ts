import { hostname } from 'node:os'

/** What this process is called among those that share its database. */
export const nodeName = () => `${hostname()}:${process.pid}`
