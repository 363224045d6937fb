/* The baseline: parses the body, forwards it, reads the usage, answers. No ledger and no authentication. */

const [port = '0', upstream = ''] = process.argv.slice(2)
let tokens = 0

Bun.serve({
  port: Number(port),
  hostname: '127.0.0.1',
  idleTimeout: 0,
  async fetch(request) {
    const text = await request.text()
    const { stream } = JSON.parse(text)
    const answer = await fetch(upstream + new URL(request.url).pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer upstream' },
      body: text,
    })
    if (stream !== true) {
      const body = await answer.text()
      tokens += JSON.parse(body).usage?.total_tokens ?? 0
      return new Response(body, { headers: { 'content-type': 'application/json' } })
    }
    return new Response(passing(answer.body) as unknown as BodyInit, {
      headers: { 'content-type': 'text/event-stream' },
    })
  },
})

/** Searches every chunk for usage, as any billing proxy has to. */
async function* passing(body: ReadableStream<Uint8Array> | null) {
  const decoder = new TextDecoder()
  if (body === null) return
  for await (const chunk of body) {
    const text = decoder.decode(chunk, { stream: true })
    const usage = /"total_tokens":(\d+)/.exec(text)
    if (usage !== null) tokens += Number(usage[1])
    yield chunk
  }
}

process.on('SIGTERM', () => {
  console.log(`${tokens} tokens`)
  process.exit(0)
})
console.log(`listening on ${port}`)

export {}
