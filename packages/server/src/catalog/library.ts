/**
 * The price library's vendor for a channel type: the source of its default models and prices. Missing types resell other
 * vendors' models, or are unknown to the library.
 */
export const LIBRARY_VENDORS: Readonly<Record<number, string>> = {
  1: 'openai',
  3: 'azure',
  14: 'anthropic',
  16: 'zhipuai',
  20: 'openrouter',
  24: 'google',
  25: 'moonshotai',
  27: 'minimax',
  28: 'mistral',
  29: 'groq',
  33: 'aws',
  35: 'cohere',
  36: 'deepseek',
  37: 'cloudflare',
  39: 'together',
  41: 'novita',
  42: 'google',
  45: 'x-ai',
  51: 'google',
  52: 'perplexity',
  53: 'fireworks',
  54: 'cerebras',
  // With the same names and, like OpenRouter, at the vendors' own prices.
  55: 'openrouter',
}
