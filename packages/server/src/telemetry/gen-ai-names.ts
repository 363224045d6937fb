import { channelType } from '@tollgate/contract'

/** The names of our operations in the conventions for generative AI; an unknown one keeps its name. */
const OPERATIONS = new Map<string, string>([
  ['chat/completions', 'chat'],
  ['messages', 'chat'],
  ['responses', 'chat'],
  ['responses/compact', 'chat'],
  ['realtime', 'chat'],
  ['completions', 'text_completion'],
  ['embeddings', 'embeddings'],
  ['embedContent', 'embeddings'],
  ['batchEmbedContents', 'embeddings'],
  ['generateContent', 'generate_content'],
])

/** The same for vendors, by the key of the channel's type. */
const PROVIDERS = new Map<string, string>([
  ['azure', 'azure.ai.openai'],
  ['palm', 'gcp.gen_ai'],
  ['gemini', 'gcp.gemini'],
  ['gemini-openai', 'gcp.gemini'],
  ['vertex', 'gcp.vertex_ai'],
  ['aws', 'aws.bedrock'],
  ['mistral', 'mistral_ai'],
  ['moonshot', 'moonshot_ai'],
  ['xai', 'x_ai'],
])

export const operationName = (operation: string) => OPERATIONS.get(operation) ?? operation

export const providerName = (type: number) => {
  const key = channelType(type)?.key ?? 'custom'
  return PROVIDERS.get(key) ?? key
}
