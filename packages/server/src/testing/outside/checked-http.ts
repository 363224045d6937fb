import { onTestFinished } from 'bun:test'
import { createCheckedHosts, type Resolve } from '../../upstream/checked-hosts.ts'
import { createHttp } from '../../upstream/http.ts'

/** A server on this machine that remembers the headers of its requests. */
export function serve(fetch: (request: Request) => Response | Promise<Response>, tls?: { key: string; cert: string }) {
  const seen: Headers[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    ...(tls !== undefined && { tls }),
    fetch(request) {
      seen.push(new Headers(request.headers)) // a request cannot be read after it was answered
      return fetch(request)
    },
  })
  onTestFinished(() => server.stop(true))
  return { port: server.port, seen }
}

/** A resolver that gives these answers, one per query, and repeats the last. */
export function answering(...answers: string[][]) {
  const asked: string[] = []
  const resolve: Resolve = async (name) => {
    asked.push(name)
    return answers[Math.min(asked.length, answers.length) - 1] ?? []
  }
  return { resolve, asked }
}

/** The HTTP client, whose names resolve to these addresses. */
export const httpWith = (...answers: string[][]) => createHttp({ hosts: createCheckedHosts(answering(...answers)) })
