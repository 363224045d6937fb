import { hostname } from 'node:os'

/** The name of this process among those that share its database. */
export const nodeName = () => `${hostname()}:${process.pid}`
