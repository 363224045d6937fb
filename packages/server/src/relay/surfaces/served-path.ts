/** The path that a request means. Some client libraries have a part of their vendor's address in their code. */
export const servedPath = (path: string): string => {
  // Groq's library, and Azure's API without versions.
  if (path.startsWith('/openai/v1/')) return path.slice('/openai'.length)
  // Cohere's library. Of its API only this has the members of ours.
  return path === '/v2/rerank' ? '/v1/rerank' : path
}

/** Cohere's API, whose clients expect its own error format. */
export const isCoherePath = (path: string) => /^\/v2(?:\/|$)/.test(path)
