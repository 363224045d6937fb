import { cacheReads, cacheWrites, inputTokens, outputTokens, type Usage } from '../usage.ts'

/** Usage in the format of chat completions: totals and their details. */
export const completionUsage = (usage: Usage) => ({
  prompt_tokens: inputTokens(usage),
  completion_tokens: outputTokens(usage),
  total_tokens: inputTokens(usage) + outputTokens(usage),
  prompt_tokens_details: {
    cached_tokens: cacheReads(usage),
    audio_tokens: usage.audioInput + usage.cachedAudio,
    cache_write_tokens: cacheWrites(usage),
    ...(usage.imageInput + usage.cachedImage === 0 ? {} : { image_tokens: usage.imageInput + usage.cachedImage }),
  },
  completion_tokens_details: {
    reasoning_tokens: usage.reasoning,
    audio_tokens: usage.audioOutput,
    ...(usage.imageOutput === 0 ? {} : { image_tokens: usage.imageOutput }),
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
})
