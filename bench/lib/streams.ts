import { connect } from 'node:net'

export interface StreamRequest {
  url: string
  key: string
  model: string
}

const bodyOf = (model: string) =>
  JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Count.' }] })

/** Requests a stream and waits for its head. */
export const openStream = async ({ url, key, model }: StreamRequest, signal?: AbortSignal) => {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: bodyOf(model),
    ...(signal === undefined ? {} : { signal }),
  })
  if (!answer.ok || answer.body === null) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  return answer.body
}

/** Reads to the end at full speed. */
export const drain = async (body: ReadableStream<Uint8Array>) => {
  for await (const _ of body);
}

/** A client that reads 1 KB per second, until it is stopped. */
export const readSlowly = ({ url, key, model }: StreamRequest) => {
  const { hostname, port, host } = new URL(url)
  const body = bodyOf(model)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  socket.on('error', () => {})
  socket.pause()
  const timer = setInterval(() => socket.read(1024), 1000)
  return () => {
    clearInterval(timer)
    socket.destroy()
  }
}
