export { anthropicError } from './anthropic/error-body.ts'
export { readAnthropicUsage } from './anthropic/usage.ts'
export * from './chat.ts'
export * from './chat-adapter.ts'
export * from './dialect.ts'
export * from './dialects.ts'
export * from './failure.ts'
export { mayHaveForeignSignature, withoutForeignSignatures } from './foreign-signature.ts'
export { googleError, googleStatus } from './gemini/error-body.ts'
export { readGeminiUsage } from './gemini/usage.ts'
export { type Fields, isFields } from './json.ts'
export { embeddedError } from './openai/embedded-error.ts'
export { embeddingsOf } from './openai/embeddings.ts'
export { openAiError } from './openai/error-body.ts'
export { readImageUsage } from './openai/image-usage.ts'
export { readOpenAiUsage } from './openai/usage.ts'
export * from './provider.ts'
export * from './registry.ts'
export { brokenResponse } from './responses/failed.ts'
export { rateLimitReset, retryAfter, retryDelay } from './retry-after.ts'
export {
  readAnthropicServiceTier,
  readGeminiServiceTier,
  readOpenAiServiceTier,
  requestedServiceTier,
} from './service-tier.ts'
export * from './unsupported.ts'
export * from './upstream-request.ts'
export * from './usage.ts'
