import type { Access } from '../upstream-request.ts'
import { pathSegment, regionInHost } from '../url-parts.ts'

/** Where a model is asked for something. */
export const modelUrl = (model: string, operation: string, { baseUrl }: Access, { region }: { region: string }) =>
  `${baseUrl || `https://bedrock-runtime.${regionInHost(region)}.amazonaws.com`}/model/${bare(modelId(model))}/${operation}`

/** Signatures are over the path as AWS writes it, with every reserved character escaped. */
const bare = (id: string) => pathSegment(id).replaceAll('@', '%40')

/** Ids pass through as they are, with or without the prefix of a region. Only the oldest have names of another house. */
const modelId = (model: string) => OLD_NAMES[model] ?? model

const OLD_NAMES: Record<string, string> = {
  'claude-instant-1.2': 'anthropic.claude-instant-v1',
  'claude-2.0': 'anthropic.claude-v2',
  'claude-2.1': 'anthropic.claude-v2:1',
  'claude-3-haiku-20240307': 'anthropic.claude-3-haiku-20240307-v1:0',
  'claude-3-sonnet-20240229': 'anthropic.claude-3-sonnet-20240229-v1:0',
  'claude-3-opus-20240229': 'anthropic.claude-3-opus-20240229-v1:0',
  'claude-3-5-sonnet-20240620': 'anthropic.claude-3-5-sonnet-20240620-v1:0',
  'claude-3-5-sonnet-20241022': 'anthropic.claude-3-5-sonnet-20241022-v2:0',
  'claude-3-5-sonnet-latest': 'anthropic.claude-3-5-sonnet-20241022-v2:0',
  'claude-3-5-haiku-20241022': 'anthropic.claude-3-5-haiku-20241022-v1:0',
  'llama3-8b-8192': 'meta.llama3-8b-instruct-v1:0',
  'llama3-70b-8192': 'meta.llama3-70b-instruct-v1:0',
}

export const isClaude = (model: string) => model.includes('claude')
