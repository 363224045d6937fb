import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export interface Upstream {
  url: string
  stop: () => Promise<void>
}

/**
 * A provider with as much of the OpenAI dialect as a test, a balance and a model list need; or one that accepts a call and never
 * answers.
 */
export async function startUpstream({ silent = false } = {}): Promise<Upstream> {
  const server = createServer(silent ? () => undefined : answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The fake provider has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function answer(request: IncomingMessage, response: ServerResponse) {
  const path = request.url ?? ''
  const send = (body: object) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(body))
  }
  if (path.includes('/billing/subscription')) return send({ hard_limit_usd: 100, has_payment_method: true })
  if (path.includes('/billing/usage')) return send({ total_usage: 4200 })
  if (path.endsWith('/models')) return send({ object: 'list', data: [{ id: 'gpt-4o-mini' }, { id: 'brand-new' }] })
  if (path.endsWith('/responses')) {
    return send({
      ...{ id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: 'gpt-4o-mini', error: null },
      output: [
        {
          ...{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' },
          content: [{ type: 'output_text', text: 'hi', annotations: [] }],
        },
      ],
      usage: { input_tokens: 3, output_tokens: 1, total_tokens: 4 },
    })
  }
  send({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-4o-mini',
    choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
  })
}
