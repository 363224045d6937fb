import { inPath } from '../gemini/gemini.ts'
import type { Access } from '../upstream-request.ts'
import { pathSegment, regionInHost } from '../url-parts.ts'
import { accountOf } from './account.ts'

export type Publisher = 'google' | 'anthropic' | 'openapi'

/** The publisher of a model. Those of third parties are named `publisher/model` and use OpenAI's dialect. */
export function publisherOf(model: string): Publisher {
  if (model.includes('/')) return 'openapi'
  return model.startsWith('claude') ? 'anthropic' : 'google'
}

/** The URL of a model; `global` has a host of its own. */
export function modelUrl(access: Access, { model, action }: { model: string; action: string }): string {
  const publisher = publisherOf(model)
  if (publisher === 'openapi') return `${locationUrl(access)}/endpoints/openapi/chat/completions`
  return `${locationUrl(access)}/publishers/${publisher}/models/${inPath(model)}:${action}`
}

/** Google's own models. The list belongs to no project; the project in the header is billed for the request. */
export const publisherModelsUrl = (access: Access) => `${rootOf(access)}/v1beta1/publishers/google/models?pageSize=500`

const regionOf = ({ config }: Access) => regionInHost(config.region || 'global')

function rootOf(access: Access) {
  const region = regionOf(access)
  const host = region === 'global' ? 'aiplatform.googleapis.com' : `${region}-aiplatform.googleapis.com`
  return access.baseUrl || `https://${host}`
}

const locationUrl = (access: Access) =>
  `${rootOf(access)}/v1/projects/${pathSegment(projectOf(access)).replaceAll('%3A', ':')}/locations/${regionOf(access)}`

export function projectOf(access: Access) {
  if (access.config.vertex_ai_project_id) return access.config.vertex_ai_project_id
  const account = accountOf(access)
  return (account.type === 'service_account' ? account.project_id : account.quota_project_id) ?? ''
}
