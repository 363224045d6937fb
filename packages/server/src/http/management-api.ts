import { Hono } from 'hono'
import { GatewayError } from '../errors.ts'
import type { Log } from '../log.ts'
import { renderError } from './render-error.ts'
import type { Gate, Incoming, Router } from './serve.ts'

/** The empty management API: how errors are rendered and what an unknown path gets. The nouns bind their routes to it. */
export const createRouter = (gate: Gate, log: Log): Router => {
  const app = new Hono<{ Bindings: Incoming }>()
  app.onError((error, context) => renderError(error, context.env, log))
  app.notFound((context) => {
    const { method, path } = context.req
    return renderError(new GatewayError('http.not_found', { method, path }), context.env, log)
  })
  return { app, gate, served: [] }
}
