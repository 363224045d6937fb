import type { Access } from '../upstream-request.ts'
import { pathSegment, regionInHost } from '../url-parts.ts'

/** The URL of an operation on a model. */
export const modelUrl = (model: string, operation: string, { baseUrl }: Access, { region }: { region: string }) =>
  `${baseUrl || `https://bedrock-runtime.${regionInHost(region)}.amazonaws.com`}/model/${bare(modelId(model))}/${operation}`

/** AWS signs the path with every reserved character escaped. */
const bare = (id: string) => pathSegment(id).replaceAll('@', '%40')

/** Ids are passed unchanged, with or without a region prefix. Only the oldest models have vendor-specific names. */
const modelId = (model: string) => OLD_NAMES.get(model) ?? model

const OLD_NAMES = new Map<string, string>([
  ['claude-instant-1.2', 'anthropic.claude-instant-v1'],
  ['claude-2.0', 'anthropic.claude-v2'],
  ['claude-2.1', 'anthropic.claude-v2:1'],
  ['claude-3-haiku-20240307', 'anthropic.claude-3-haiku-20240307-v1:0'],
  ['claude-3-sonnet-20240229', 'anthropic.claude-3-sonnet-20240229-v1:0'],
  ['claude-3-opus-20240229', 'anthropic.claude-3-opus-20240229-v1:0'],
  ['claude-3-5-sonnet-20240620', 'anthropic.claude-3-5-sonnet-20240620-v1:0'],
  ['claude-3-5-sonnet-20241022', 'anthropic.claude-3-5-sonnet-20241022-v2:0'],
  ['claude-3-5-sonnet-latest', 'anthropic.claude-3-5-sonnet-20241022-v2:0'],
  ['claude-3-5-haiku-20241022', 'anthropic.claude-3-5-haiku-20241022-v1:0'],
  ['llama3-8b-8192', 'meta.llama3-8b-instruct-v1:0'],
  ['llama3-70b-8192', 'meta.llama3-70b-instruct-v1:0'],
])

export const isClaude = (model: string) => model.includes('claude')
