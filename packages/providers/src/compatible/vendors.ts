import { OPENAI_MEMBERS } from '../openai/chat-body.ts'
import { openAiCompatible } from '../openai-compatible.ts'
import { wan } from '../qwen/videos.ts'
import {
  aiproxyBalance,
  creditGrants,
  deepseekBalance,
  openAiBalance,
  openaiSbBalance,
  openrouterBalance,
  siliconflowBalance,
  vercelBalance,
} from './balances.ts'
import { cerebrasEffort } from './cerebras-effort.ts'
import { grokEffort, grokRefuses } from './grok.ts'
import { groqEffort } from './groq-effort.ts'
import { hailuo } from './hailuo.ts'
import { kimiEffort, kimiRefuses, kimiSwitches } from './kimi.ts'
import { mistralBatches } from './mistral-batches.ts'
import { mistralEffort } from './mistral-effort.ts'
import { mistralMessages } from './mistral-messages.ts'
import { novitaBatches } from './novita-batches.ts'
import { asReasoning, someReasoning, someReasoningBeforeCalls, withoutReasoning } from './reasoning-history.ts'
import { siliconflowBatches } from './siliconflow-batches.ts'
import { strictAnswer } from './strict-answer.ts'
import { strictImages } from './strict-images.ts'
import { strictModeration } from './strict-moderation.ts'
import { togetherBatches } from './together-batches.ts'
import { xaiBatches } from './xai-batches.ts'

/*
 * Vendors that speak OpenAI's dialect. Each is a base URL and its differences from OpenAI; the type numbers are in the
 * registry.
 */

export const openai = openAiCompatible({
  name: 'openai',
  baseUrl: 'https://api.openai.com',
  responses: true,
  responsesTools: true,
  background: true,
  realtime: true,
  videos: true,
  chat: { developer: true, members: OPENAI_MEMBERS },
  quirks: { without: ['top_k'] },
  balance: openAiBalance,
})

/** Resellers of OpenAI's own service. */
const reseller = (name: string, baseUrl: string, more: { balance?: typeof openAiBalance } = {}) =>
  openAiCompatible({
    name,
    baseUrl,
    responses: true,
    realtime: true,
    chat: { developer: true, members: OPENAI_MEMBERS },
    quirks: { without: ['top_k'] },
    ...more,
  })

export const api2d = reseller('api2d', 'https://oa.api2d.net')
export const closeai = reseller('closeai', 'https://api.closeai-proxy.xyz', {
  balance: creditGrants('total_available'),
})
export const openaiSb = reseller('openai-sb', 'https://api.openai-sb.com', { balance: openaiSbBalance })
export const openaiMax = reseller('openai-max', 'https://api.openaimax.com')
export const ohmygpt = reseller('ohmygpt', 'https://api.ohmygpt.com')
export const ails = reseller('ails', 'https://api.caipacity.com')
export const aiproxy = reseller('aiproxy', 'https://api.aiproxy.io', { balance: aiproxyBalance })
export const api2gpt = reseller('api2gpt', 'https://api.api2gpt.com', { balance: creditGrants('total_remaining') })
export const aigc2d = reseller('aigc2d', 'https://api.aigc2d.com', { balance: creditGrants('total_available') })

/** Any server may be behind the address: it supports chat, and nothing else is certain. */
export const custom = openAiCompatible({ name: 'custom', realtime: true, videos: true, balance: openAiBalance })
/** The address is a full base for an SDK, as its documentation gives it: nothing is put between it and the operation. */
export const generic = openAiCompatible({ name: 'openai-compatible', prefix: '', realtime: true, videos: true })

export const zhinao = openAiCompatible({ name: 'zhinao', baseUrl: 'https://ai.360.cn' })
export const openrouter = openAiCompatible({
  name: 'openrouter',
  baseUrl: 'https://openrouter.ai/api',
  responses: true,
  headers: { 'x-title': 'Tollgate' },
  chat: { cacheControl: true, reasoningDetails: true },
  balance: openrouterBalance,
})
export const fastgpt = openAiCompatible({
  name: 'fastgpt',
  baseUrl: 'https://fastgpt.run/api/openapi',
  only: ['chat/completions'],
  unlisted: true,
})
export const moonshot = openAiCompatible({
  name: 'moonshot',
  baseUrl: 'https://api.moonshot.cn',
  chat: { reasoning: true },
  quirks: {
    messages: someReasoningBeforeCalls,
    refuses: kimiRefuses,
    effort: kimiEffort,
    switchesThinking: kimiSwitches,
  },
  batches: { endpoints: ['/v1/chat/completions'], oneModel: true },
  repairs: { 'chat/completions': strictAnswer },
})
export const baichuan = openAiCompatible({
  name: 'baichuan',
  baseUrl: 'https://api.baichuan-ai.com',
  only: ['chat/completions', 'embeddings'],
  unlisted: true,
})
export const minimax = openAiCompatible({
  name: 'minimax',
  baseUrl: 'https://api.minimaxi.com',
  paths: { 'chat/completions': '/text/chatcompletion_v2' },
  chat: { reasoning: true },
  repairs: { 'chat/completions': strictAnswer },
  videoTasks: hailuo,
})
export const mistral = openAiCompatible({
  name: 'mistral',
  baseUrl: 'https://api.mistral.ai',
  chat: { reasoning: true },
  quirks: {
    streamOptions: false,
    // Mistral refuses every member that it does not know.
    without: ['top_k', 'user', 'store', 'service_tier', 'verbosity', 'prompt_cache_key', 'safety_identifier'],
    renamed: { max_completion_tokens: 'max_tokens', seed: 'random_seed' },
    systemOnly: true,
    effort: mistralEffort,
    messages: mistralMessages,
  },
  repairs: { 'chat/completions': strictAnswer, moderations: strictModeration },
  batches: mistralBatches,
})
export const groq = openAiCompatible({
  name: 'groq',
  baseUrl: 'https://api.groq.com/openai',
  responses: true,
  quirks: { without: ['top_k'], messages: withoutReasoning, noJsonWithTools: true, effort: groqEffort },
})
export const lingyiwanwu = openAiCompatible({ name: 'lingyiwanwu', baseUrl: 'https://api.lingyiwanwu.com' })
export const stepfun = openAiCompatible({ name: 'stepfun', baseUrl: 'https://api.stepfun.com' })
export const deepseek = openAiCompatible({
  name: 'deepseek',
  baseUrl: 'https://api.deepseek.com',
  chat: { reasoning: true },
  quirks: {
    renamed: { max_completion_tokens: 'max_tokens' },
    systemOnly: true,
    noJsonSchema: true,
    messages: someReasoning,
    switchesThinking: () => true,
  },
  balance: deepseekBalance,
})
export const together = openAiCompatible({
  name: 'together',
  baseUrl: 'https://api.together.xyz',
  batches: togetherBatches,
})
export const doubao = openAiCompatible({
  name: 'doubao',
  baseUrl: 'https://ark.cn-beijing.volces.com',
  prefix: '/api/v3',
  responses: true,
  chat: { reasoning: true },
  quirks: { systemOnly: true },
})
export const novita = openAiCompatible({
  name: 'novita',
  baseUrl: 'https://api.novita.ai/openai/v1',
  prefix: '',
  batches: novitaBatches,
})
export const siliconflow = openAiCompatible({
  name: 'siliconflow',
  baseUrl: 'https://api.siliconflow.cn',
  balance: siliconflowBalance,
  batches: siliconflowBatches,
  repairs: { 'images/generations': strictImages },
})
export const xai = openAiCompatible({
  name: 'xai',
  baseUrl: 'https://api.x.ai',
  responses: true,
  signer: 'xai',
  batches: xaiBatches,
  quirks: { without: ['top_k'], refuses: grokRefuses, effort: grokEffort },
})
export const baiduV2 = openAiCompatible({ name: 'baidu-v2', baseUrl: 'https://qianfan.baidubce.com', prefix: '/v2' })
export const sparkHttp = openAiCompatible({
  name: 'spark-http',
  baseUrl: 'https://spark-api-open.xf-yun.com',
  only: ['chat/completions'],
  unlisted: true,
})
export const bailian = openAiCompatible({
  name: 'bailian',
  baseUrl: 'https://dashscope.aliyuncs.com',
  prefix: '/compatible-mode/v1',
  chat: { cacheControl: true },
  quirks: { systemOnly: true },
  videoTasks: wan,
})
export const geminiOpenAi = openAiCompatible({
  name: 'gemini-openai',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
  prefix: '',
  chat: { thoughtSignatures: true },
  repairs: { 'chat/completions': strictAnswer },
})
export const perplexity = openAiCompatible({
  name: 'perplexity',
  baseUrl: 'https://api.perplexity.ai',
  prefix: '',
  only: ['chat/completions'],
  unlisted: true,
})
export const fireworks = openAiCompatible({
  name: 'fireworks',
  baseUrl: 'https://api.fireworks.ai/inference',
  responses: true,
  chat: { reasoning: true },
})
export const cerebras = openAiCompatible({
  name: 'cerebras',
  baseUrl: 'https://api.cerebras.ai',
  only: ['chat/completions', 'completions'],
  quirks: {
    // Cerebras refuses every member that it does not know.
    without: ['top_k', 'store', 'verbosity', 'prompt_cache_key', 'safety_identifier'],
    systemOnly: true,
    effort: cerebrasEffort,
    messages: asReasoning,
  },
})
export const vercel = openAiCompatible({
  name: 'vercel',
  baseUrl: 'https://ai-gateway.vercel.sh',
  responses: true,
  balance: vercelBalance,
})
export const huggingface = openAiCompatible({ name: 'huggingface', baseUrl: 'https://router.huggingface.co' })
export const nvidia = openAiCompatible({ name: 'nvidia', baseUrl: 'https://integrate.api.nvidia.com' })
export const deepinfra = openAiCompatible({
  name: 'deepinfra',
  baseUrl: 'https://api.deepinfra.com/v1/openai',
  prefix: '',
  batches: { endpoints: ['/v1/chat/completions', '/v1/completions', '/v1/embeddings'], oneModel: true },
})

/** Self-hosted servers. */
export const vllm = openAiCompatible({ name: 'vllm', responses: true, chat: { reasoning: true } })
export const lmStudio = openAiCompatible({ name: 'lm-studio', baseUrl: 'http://localhost:1234', responses: true })
