import { options } from '@tollgate/contract'
import { Answer, type Router, serve } from '../http/serve.ts'
import type { OptionsService } from './options-service.ts'

export const optionsRoutes = (router: Router, service: OptionsService) => {
  serve(router, options.list, () => {
    const { visible, secretsSet } = service.list()
    return new Answer(visible, { extra: { secrets_set: secretsSet } })
  })
  serve(router, options.update, ({ body }, caller) => service.update(caller, body, caller.language))
}
