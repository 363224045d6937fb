/** Lets pending work run first: an embedded database, or a long loop, blocks every stream of the process meanwhile. */
export const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve))
