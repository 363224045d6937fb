/*
 * Which of the price library's models a channel type offers by default. The library keeps prices forever, so each vendor has
 * a list of models that it retired or never used the name of.
 */

interface Selection {
  /** The vendor in the library, if it differs from the type's own. */
  vendor?: string
  /** Which of the vendor's models the type can call. */
  only?: RegExp
  /** Models that are not offered. */
  without?: readonly RegExp[]
  /** Converts the library's spelling to the vendor's. */
  name?: (id: string) => string
  /** Models without a library price. */
  and?: readonly string[]
}

const RETIRED_GEMINI = [/^gemini-(1|2\.0|pro|flash-1)/, /^gemini-3-pro-preview$/, /^gemini-2\.5-flash-preview/]
/** Realtime conversations, and third-party models sold by Google. */
const NOT_GENERATED = [/^gemini-.*live/, /-maas$/]

/** OpenAI itself, and resellers with the same names. */
const OPENAI: Selection = {
  vendor: 'openai',
  without: [
    // Legacy completions and fine-tuned models.
    /^(ada$|babbage|curie|davinci|text-davinci|ft:)/,
    // Dated or superseded chats.
    /^gpt-3\.5-(?!turbo$)/,
    /^gpt-4-(32k|vision)/,
    /^gpt-4\.5/,
    /^gpt-4o:/,
    /^gpt-4o-(mini-)?2024/,
    /^gpt-5\.3$/,
    /^o1-(mini|preview)/,
    /^(chatgpt|codex|computer)-/,
    // Audio and realtime models have newer names, and image models names of their own.
    /^gpt-4o-(mini-)?(audio|realtime)/,
    /^gpt-[\d.]+-image/,
    // Open weights served by others, and a name that the moderations API does not have.
    /^gpt-oss/,
    /^moderation/,
  ],
  and: ['tts-1', 'tts-1-hd', 'omni-moderation-latest'],
}

/** Azure, the resellers, and servers that accept any OpenAI name: custom and the two knowledge bases. */
const SELLS_OPENAI = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 21, 22]

/** A router with every vendor's models: of the large vendors only those that are current. */
const OPENROUTER: Selection = {
  only: /^(anthropic|deepseek|google|minimax|mistralai|moonshotai|openai|perplexity|qwen|x-ai|z-ai)\/[\w.-]+$/,
  without: [
    /claude-([23]|instant)/,
    /deepseek-(chat$|r1|v3-)|chat-v3-0324|r1-1776/,
    /gemini-(pro|flash|2\.0|.*exp)|flash-preview$|preview-0|gemma-[23]|palm|learnlm|lyria/,
    /gpt-(3\.5|4$|4-|4\.5|4o-2024)|o1|chatgpt|codex-mini/,
    /mi[sx]tral-(7b|8x|tiny|nemo|saba|small$|medium$|large$|small-24b)|mixtral|pixtral|mamba/,
    /llama/,
    /qwen-?[12]|qwq/,
    /grok-(2|3|beta|vision)/,
    /minimax-(01|m1)|kimi-k2$/,
  ],
}

/** By the number of the channel type. */
export const SELECTIONS: Readonly<Record<number, Selection>> = {
  ...Object.fromEntries(SELLS_OPENAI.map((type) => [type, OPENAI])),
  1: { ...OPENAI, and: [...(OPENAI.and ?? []), 'sora-2', 'sora-2-pro'] },
  14: { without: [/^claude-([23v]|.*-4-0$)/] },
  16: {
    without: [/^GLM-4-/],
    name: (id) => id.toLowerCase(),
    and: ['glm-4.5-flash', 'embedding-3', 'cogview-4-250304', 'cogvideox-3', 'cogvideox-flash'],
  },
  20: OPENROUTER,
  24: {
    only: /^gem(ini|ma-4)/,
    without: [...RETIRED_GEMINI, ...NOT_GENERATED],
    and: ['veo-3.1-generate-preview', 'veo-3.1-fast-generate-preview', 'veo-3.1-lite-generate-preview'],
  },
  25: {},
  37: { without: [/distilbert|m2m100|indictrans|plamo|moondream|llama-guard/] },
  42: {
    only: /^(gemini|claude)/,
    without: [...RETIRED_GEMINI, ...NOT_GENERATED, /^claude-[34]-/],
    and: ['veo-3.1-generate-001', 'veo-3.1-fast-generate-001', 'veo-3.1-lite-generate-001'],
  },
  45: { only: /^grok-(4\.|build|code)/ },
  51: { only: /^gemini/, without: [...RETIRED_GEMINI, ...NOT_GENERATED] },
  52: { only: /^sonar/, without: [/pro-search$/, /^sonar-reasoning$/] },
  53: {
    only: /^(deepseek-v4|glm-5|gpt-oss|kimi-k(2p[67]|3)|minimax-m(2p7|3)|qwen3p[67])/,
    // The fast variants are at another endpoint.
    without: [/-(fast|us)$/],
    name: (id) => `accounts/fireworks/models/${id}`,
  },
  54: { without: [/coder-480b/] },
}
