import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { bareHost } from '@tollgate/contract'

/** Redis's own message when it refuses a connection: a wrong password, too many clients. Undefined when it accepts. */
export const redisRefusal = (url: string, timeoutMs: number): Promise<string | undefined> => {
  const parsed = new URL(url)
  const { protocol, port, username, password } = parsed
  const address = { host: bareHost(parsed), port: port === '' ? 6379 : Number(port) }
  const credentials = [username, password].filter((part) => part !== '').map(decodeURIComponent)
  const greeting = [...(credentials.length > 0 ? [command(['AUTH', ...credentials])] : []), command(['PING'])].join('')
  return new Promise((resolve) => {
    const socket: Socket =
      protocol === 'rediss:' ? connectTls({ ...address, servername: address.host }) : connectPlain(address)
    let answer = ''
    const end = (reason: string | undefined) => {
      socket.destroy()
      resolve(reason)
    }
    socket.setTimeout(timeoutMs, () => end(`no answer in ${timeoutMs} ms`))
    socket.once('error', (error) => end(error.message === '' ? 'it cannot be reached' : error.message))
    socket.once('close', () => end(firstError(answer) ?? 'it closed the connection'))
    socket.on('data', (chunk) => {
      answer += String(chunk)
      const refusal = firstError(answer)
      if (refusal !== undefined) end(refusal)
      else if (answer.includes('+PONG')) end(undefined)
    })
    socket.write(greeting)
  })
}

const command = (words: string[]) =>
  `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`

/** An error is one line, and repeats nothing of what we sent. */
const firstError = (answer: string) => /(?:^|\r\n)-([^\r]*)\r\n/.exec(answer)?.[1]?.slice(0, 200)
