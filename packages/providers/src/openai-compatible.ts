import { explainOpenAi } from './openai/explain.ts'
import type { Access, OpenAiOperation, Provider } from './provider.ts'

export interface CompatibleVendor {
  name: string
  /** Absent when every channel has to name its own. */
  baseUrl?: string
  /** The path in front of the operation; most vendors keep OpenAI's `/v1`. */
  prefix?: string
  /** Operations whose path differs. `false` switches one off. */
  paths?: Partial<Record<OpenAiOperation, string | false>>
  /** Only these operations exist; all of OpenAI's, when absent. */
  only?: readonly OpenAiOperation[]
  headers?: Record<string, string>
  balance?: Provider['balance']
}

/** A vendor that speaks OpenAI's dialect: most of them, and a few lines each. */
export const openAiCompatible = (vendor: CompatibleVendor): Provider => {
  const { name, baseUrl, prefix = '/v1', paths = {}, only, headers = {}, balance } = vendor
  const root = (access: Access) => `${access.baseUrl || baseUrl}${prefix}`
  const authorize = (access: Access) => ({ authorization: `Bearer ${access.key}`, ...headers })

  return {
    name,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    openai: {
      url(operation, access) {
        const path = paths[operation] ?? (only === undefined || only.includes(operation) ? `/${operation}` : false)
        return path === false ? undefined : root(access) + path
      },
      headers: authorize,
    },
    models: {
      request: (access) => ({ method: 'GET', url: `${root(access)}/models`, headers: authorize(access) }),
      read: readModelList,
    },
    ...(balance === undefined ? {} : { balance }),
    explain: explainOpenAi,
  }
}

/** `{ data: [{ id }] }`; entries without an id are somebody else's extension. */
export function readModelList(body: unknown): string[] {
  const data = typeof body === 'object' && body !== null && 'data' in body && Array.isArray(body.data) ? body.data : []
  return data.flatMap((entry: unknown) =>
    typeof entry === 'object' && entry !== null && 'id' in entry && typeof entry.id === 'string' ? [entry.id] : [],
  )
}
