import { type ChannelType, ownAddress, same, type } from './channel-type.ts'

const sdkAddress = { zh: 'SDK 的 Base URL', en: 'Base URL as for an SDK' }

/**
 * Types added after the 43 of the specification. 44 to 51 are the numbers of other gateways of this family, so that
 * their channels can be imported; numbers from 52 on are our own.
 */
export const LATER_CHANNEL_TYPES: readonly ChannelType[] = [
  type(44, 'siliconflow', { zh: '硅基流动 SiliconFlow', en: 'SiliconFlow' }, 'violet', {
    baseUrl: 'https://api.siliconflow.cn',
    balance: 'cny',
  }),
  type(45, 'xai', same('xAI'), 'black', { baseUrl: 'https://api.x.ai' }),
  type(46, 'replicate', same('Replicate'), 'black', { baseUrl: 'https://api.replicate.com', listsModels: false }),
  type(47, 'baidu-v2', { zh: '百度文心千帆 V2', en: 'Baidu Qianfan V2' }, 'blue', {
    baseUrl: 'https://qianfan.baidubce.com',
  }),
  type(48, 'spark-http', { zh: '讯飞星火认知 V2', en: 'iFlytek Spark HTTP' }, 'blue', {
    baseUrl: 'https://spark-api-open.xf-yun.com',
    listsModels: false,
  }),
  type(49, 'bailian', { zh: '阿里云百炼', en: 'Alibaba Bailian' }, 'orange', {
    baseUrl: 'https://dashscope.aliyuncs.com',
  }),
  type(50, 'openai-compatible', { zh: 'OpenAI 兼容', en: 'OpenAI compatible' }, 'olive', {
    kind: 'own',
    fields: [ownAddress(sdkAddress, 'https://api.example.com/v1')],
  }),
  type(51, 'gemini-openai', same('Gemini (OpenAI)'), 'orange', {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
  }),
  type(52, 'perplexity', same('Perplexity'), 'teal', { baseUrl: 'https://api.perplexity.ai', listsModels: false }),
  type(53, 'fireworks', same('Fireworks AI'), 'purple', { baseUrl: 'https://api.fireworks.ai/inference' }),
  type(54, 'cerebras', same('Cerebras'), 'orange', { baseUrl: 'https://api.cerebras.ai' }),
  type(55, 'vercel', same('Vercel AI Gateway'), 'black', {
    kind: 'reseller',
    baseUrl: 'https://ai-gateway.vercel.sh',
    balance: 'usd',
  }),
  type(56, 'huggingface', same('Hugging Face'), 'yellow', { baseUrl: 'https://router.huggingface.co' }),
  type(57, 'nvidia', same('NVIDIA NIM'), 'green', { baseUrl: 'https://integrate.api.nvidia.com' }),
  type(58, 'deepinfra', same('DeepInfra'), 'blue', { baseUrl: 'https://api.deepinfra.com/v1/openai' }),
  type(59, 'vllm', same('vLLM'), 'blue', {
    kind: 'own',
    fields: [ownAddress({ zh: '服务地址', en: 'Server address' }, 'http://localhost:8000')],
  }),
  type(60, 'lm-studio', same('LM Studio'), 'violet', { kind: 'own', baseUrl: 'http://localhost:1234' }),
  type(61, 'midjourney', same('Midjourney Proxy'), 'purple', {
    kind: 'own',
    fields: [ownAddress({ zh: '服务地址', en: 'Server address' }, 'http://localhost:8080')],
    keyFormat: 'mj-api-secret',
    listsModels: false,
  }),
]
