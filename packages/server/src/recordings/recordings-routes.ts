import { recordings } from '@tollgate/contract'
import { type Router, serve } from '../http/serve.ts'
import type { RecordingsService } from './recordings-service.ts'

export const recordingsRoutes = (router: Router, service: RecordingsService) => {
  serve(router, recordings.getSelf, ({ params }, { actor }) => service.getSelf(actor, params.request_id))
  serve(router, recordings.get, ({ params }, caller) => service.get(caller, params.request_id))
}
