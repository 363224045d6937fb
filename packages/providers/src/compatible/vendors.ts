import { openAiCompatible } from '../openai-compatible.ts'

/*
 * Vendors that speak OpenAI's dialect. Each is the address and what differs from OpenAI; the numbers are in the
 * registry.
 */

export const openai = openAiCompatible({ name: 'openai', baseUrl: 'https://api.openai.com' })
export const api2d = openAiCompatible({ name: 'api2d', baseUrl: 'https://oa.api2d.net' })
export const closeai = openAiCompatible({ name: 'closeai', baseUrl: 'https://api.closeai-proxy.xyz' })
export const openaiSb = openAiCompatible({ name: 'openai-sb', baseUrl: 'https://api.openai-sb.com' })
export const openaiMax = openAiCompatible({ name: 'openai-max', baseUrl: 'https://api.openaimax.com' })
export const ohmygpt = openAiCompatible({ name: 'ohmygpt', baseUrl: 'https://api.ohmygpt.com' })
export const custom = openAiCompatible({ name: 'custom' })
export const ails = openAiCompatible({ name: 'ails', baseUrl: 'https://api.caipacity.com' })
export const aiproxy = openAiCompatible({ name: 'aiproxy', baseUrl: 'https://api.aiproxy.io' })
export const api2gpt = openAiCompatible({ name: 'api2gpt', baseUrl: 'https://api.api2gpt.com' })
export const aigc2d = openAiCompatible({ name: 'aigc2d', baseUrl: 'https://api.aigc2d.com' })
export const zhinao = openAiCompatible({ name: 'zhinao', baseUrl: 'https://ai.360.cn' })
export const openrouter = openAiCompatible({ name: 'openrouter', baseUrl: 'https://openrouter.ai/api' })
export const fastgpt = openAiCompatible({ name: 'fastgpt', baseUrl: 'https://fastgpt.run/api/openapi' })
export const moonshot = openAiCompatible({ name: 'moonshot', baseUrl: 'https://api.moonshot.cn' })
export const baichuan = openAiCompatible({ name: 'baichuan', baseUrl: 'https://api.baichuan-ai.com' })
export const minimax = openAiCompatible({
  name: 'minimax',
  baseUrl: 'https://api.minimax.chat',
  paths: { 'chat/completions': '/text/chatcompletion_v2' },
})
export const mistral = openAiCompatible({ name: 'mistral', baseUrl: 'https://api.mistral.ai' })
export const groq = openAiCompatible({ name: 'groq', baseUrl: 'https://api.groq.com/openai' })
export const lingyiwanwu = openAiCompatible({ name: 'lingyiwanwu', baseUrl: 'https://api.lingyiwanwu.com' })
export const stepfun = openAiCompatible({ name: 'stepfun', baseUrl: 'https://api.stepfun.com' })
export const deepseek = openAiCompatible({ name: 'deepseek', baseUrl: 'https://api.deepseek.com' })
export const together = openAiCompatible({ name: 'together', baseUrl: 'https://api.together.xyz' })
export const doubao = openAiCompatible({
  name: 'doubao',
  baseUrl: 'https://ark.cn-beijing.volces.com',
  prefix: '/api/v3',
})
export const novita = openAiCompatible({ name: 'novita', baseUrl: 'https://api.novita.ai/v3/openai', prefix: '' })
