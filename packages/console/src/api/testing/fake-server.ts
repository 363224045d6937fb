type Answer = (request: Request) => Response | Promise<Response>

let answer: Answer = () => new Response()

/*
 * One server for all test files of a process: the server address is read once, by the first of them that loads a call. Import this
 * first, and the calls with `await import`.
 */
const server = Bun.serve({ port: 0, fetch: (request) => answer(request) })
server.unref()
process.env.VITE_SERVER_ADDRESS = `http://localhost:${server.port}/`

/** Sets the answer to the next calls. */
export const answerWith = (next: Answer) => {
  answer = next
}
