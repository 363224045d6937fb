import type { UpstreamFailure } from '@tollgate/providers'

/** Vendors say it in text more often than in codes, and each in its own words. */
const TOO_LONG: readonly RegExp[] = [
  /(?<!search_)context[_ -]?(length|window|size|limit)|maximum context/i, // OpenAI, Anthropic, DeepSeek, Mistral, vLLM, llama.cpp
  /maximum (prompt|model) length/i, // xAI, vLLM
  /(prompt|input).{0,30}too long|tokens?[_ ]too[_ ]long/i, // Anthropic, Bedrock, Baidu
  /too many (input )?tokens/i, // Cohere
  /token count.{0,40}exceeds the maximum/i, // Google
  /exceeded (model token limit|max_prompt_tokens)/i, // Moonshot, SiliconFlow
  /range of input length|exceeds max length|输入.{0,10}(超长|过长)|prompt.{0,3}超长/i, // Qwen, Zhipu
  /tokens_limit_reached/i, // GitHub Models
]

const CONTENT_REFUSED: readonly RegExp[] = [
  /content[_ -]?(filter|policy|management)|safety (system|settings)/i, // OpenAI, Azure, Anthropic, Moonshot
  /(prompt|input|request|content) was flagged/i, // OpenAI, OpenRouter
  /(bio|cyber|misalignment)_policy/i, // OpenAI
  /content violates/i, // xAI
  /content exists risk/i, // DeepSeek
  /data_?inspection_?failed|inappropriate content/i, // Qwen
  /sensitive|敏感|违规|不安全/i, // MiniMax, Volcengine, Zhipu, Spark
]

const says = (words: readonly RegExp[], { code, type, message }: UpstreamFailure) => {
  const text = `${code ?? ''} ${type} ${message}`
  return words.some((each) => each.test(text))
}

/** The request does not fit the context of the model. */
export const isTooLong = (failure: UpstreamFailure) => says(TOO_LONG, failure)

/** The vendor does not answer a request with this content. */
export const isContentRefused = (failure: UpstreamFailure) => says(CONTENT_REFUSED, failure)
