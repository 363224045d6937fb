import { GatewayError } from '../../common/errors.ts'
import { operationAt } from './operations.ts'

/** The error for an unknown path, with the one that was probably meant. */
export const unknownPath = ({ method }: Request, path: string) => {
  const meant = meantCall(path) ?? (method === 'GET' && /\/models\/*$/.test(path) ? '/v1/models' : undefined)
  const near = meant === undefined ? undefined : new GatewayError('relay.near_path', { near: meant })
  const hint = near === undefined ? '' : { zh: near.in('zh'), en: near.in('en') }
  return new GatewayError('relay.not_found', { method, path, hint })
}

/** More than any call has after its version. */
const TAIL_MAX = 3

/**
 * The call at the end of a path, which the client put behind a wrong base URL: `/chat/completions`, `/v1/v1/messages`,
 * `/openai/v1/embeddings`, `//v1/responses/`.
 */
export const meantCall = (path: string) => {
  const segments = path.split('/').filter((segment) => segment !== '')
  for (let count = Math.min(TAIL_MAX, segments.length); count > 0; count--) {
    const tail = segments.slice(-count).join('/')
    const meant = `${tail.startsWith('models/') ? '/v1beta' : '/v1'}/${tail}`
    if (operationAt(meant) !== undefined) return meant
  }
  return undefined
}
