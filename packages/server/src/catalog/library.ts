/**
 * The price library's name of the vendor behind a channel type: where the models of the type come from, and at whose
 * price they are sold. Types that are missing sell other people's models, or what the library does not know.
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
  // Under the same names and, like OpenRouter, at the makers' own prices.
  55: 'openrouter',
}
