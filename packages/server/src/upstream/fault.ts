/** A failure in our own words. The runtime's texts repeat the whole URL, and some services take a key in the query. */
export class Fault extends Error {}

export const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'failed'
