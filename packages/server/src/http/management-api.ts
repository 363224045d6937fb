import { Hono } from 'hono'
import { GatewayError } from '../common/errors.ts'
import type { Log } from '../common/log.ts'
import type { IdempotencyService } from '../idempotency/idempotency-service.ts'
import { renderError } from './render-error.ts'
import type { Gate, Incoming, Router } from './serve.ts'

/** Ollama's API has the same first segment as ours. */
const OLLAMA = /^\/api\/(?:chat|generate|embed|tags|show|ps|pull)$/

/** The management API without routes: rendering of errors and unknown paths. The nouns bind their routes to it. */
export const createRouter = (gate: Gate, idempotency: IdempotencyService, log: Log): Router => {
  const app = new Hono<{ Bindings: Incoming }>()
  const refuse = (error: unknown, incoming: Incoming) => renderError(error, incoming, log)
  app.onError((error, context) => refuse(error, context.env))
  app.notFound((context) => {
    const { method, path } = context.req
    if (!OLLAMA.test(path)) return refuse(new GatewayError('http.not_found', { method, path }), context.env)
    const refusal = new GatewayError('http.no_ollama', { method, path })
    // Where Ollama's libraries look for the reason.
    const extra = { error: refusal.in(context.env.language) }
    return refuse(new GatewayError('http.no_ollama', { method, path }, { extra }), context.env)
  })
  return { app, gate, idempotency, refuse, served: [] }
}
