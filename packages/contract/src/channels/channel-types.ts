import type { Text } from '../api/endpoint.ts'
import { Defaults } from '../api/limits.ts'
import { type ChannelType, ownAddress, region, same, type } from './channel-type.ts'
import { LATER_CHANNEL_TYPES } from './later-channel-types.ts'

const reseller = (
  value: number,
  key: string,
  name: string,
  color: string,
  details: Pick<ChannelType, 'baseUrl' | 'balance'>,
) => type(value, key, { zh: `代理：${name}`, en: `Proxy: ${name}` }, color, { kind: 'reseller', ...details })

const knowledge = (name: string): Text => ({ zh: `知识库：${name}`, en: `Knowledge base: ${name}` })

/** The 43 types of the specification. The numbers are part of the wire format and never change. */
const FIRST_CHANNEL_TYPES: readonly ChannelType[] = [
  type(1, 'openai', same('OpenAI'), 'green', { baseUrl: 'https://api.openai.com', balance: 'usd' }),
  reseller(2, 'api2d', 'API2D', 'blue', { baseUrl: 'https://oa.api2d.net' }),
  type(3, 'azure', same('Azure OpenAI'), 'olive', {
    fields: [
      ownAddress({ zh: '部署地址', en: 'Deployment endpoint' }, 'https://resource.openai.azure.com'),
      {
        name: 'other',
        label: { zh: '默认 API 版本', en: 'Default API version' },
        required: false,
        default: Defaults.azureApiVersion,
      },
    ],
  }),
  reseller(4, 'closeai', 'CloseAI', 'teal', { baseUrl: 'https://api.closeai-proxy.xyz', balance: 'cny' }),
  reseller(5, 'openai-sb', 'OpenAI-SB', 'brown', { baseUrl: 'https://api.openai-sb.com', balance: 'cny10000' }),
  reseller(6, 'openai-max', 'OpenAI Max', 'violet', { baseUrl: 'https://api.openaimax.com' }),
  reseller(7, 'ohmygpt', 'OhMyGPT', 'purple', { baseUrl: 'https://api.ohmygpt.com' }),
  type(8, 'custom', { zh: '自定义渠道', en: 'Custom channel' }, 'pink', {
    kind: 'own',
    balance: 'usd',
    fields: [ownAddress({ zh: '自定义 Base URL', en: 'Custom base URL' }, 'https://example.com')],
  }),
  reseller(9, 'ails', 'AI.LS', 'yellow', { baseUrl: 'https://api.caipacity.com' }),
  reseller(10, 'aiproxy', 'AI Proxy', 'purple', { baseUrl: 'https://api.aiproxy.io', balance: 'quota' }),
  type(11, 'palm', same('Google PaLM2'), 'orange', {
    baseUrl: 'https://generativelanguage.googleapis.com',
    listsModels: false,
  }),
  reseller(12, 'api2gpt', 'API2GPT', 'blue', { baseUrl: 'https://api.api2gpt.com', balance: 'cny' }),
  reseller(13, 'aigc2d', 'AIGC2D', 'purple', { baseUrl: 'https://api.aigc2d.com', balance: 'quota' }),
  type(14, 'anthropic', same('Anthropic Claude'), 'black', { baseUrl: 'https://api.anthropic.com' }),
  type(15, 'baidu', { zh: '百度文心千帆', en: 'Baidu Wenxin' }, 'blue', {
    baseUrl: 'https://aip.baidubce.com',
    keyFormat: 'APIKey|SecretKey',
    listsModels: false,
  }),
  type(16, 'zhipu', { zh: '智谱 ChatGLM', en: 'Zhipu ChatGLM' }, 'violet', {
    baseUrl: 'https://open.bigmodel.cn',
    keyFormat: 'id.secret',
  }),
  type(17, 'qwen', { zh: '阿里通义千问', en: 'Alibaba Tongyi Qianwen' }, 'orange', {
    baseUrl: 'https://dashscope.aliyuncs.com',
    fields: [{ name: 'other', label: { zh: '插件参数', en: 'Plugin parameter' }, required: false }],
  }),
  type(18, 'spark', { zh: '讯飞星火认知', en: 'iFlytek Spark' }, 'blue', {
    baseUrl: 'wss://spark-api.xf-yun.com',
    keyFormat: 'APPID|APISecret|APIKey',
    fields: [{ name: 'other', label: { zh: '模型版本', en: 'Model version' }, required: false, placeholder: 'v3.5' }],
    listsModels: false,
  }),
  type(19, 'zhinao', { zh: '360 智脑', en: '360 Zhinao' }, 'blue', { baseUrl: 'https://ai.360.cn' }),
  reseller(20, 'openrouter', 'OpenRouter', 'black', { baseUrl: 'https://openrouter.ai/api', balance: 'usd' }),
  type(21, 'aiproxy-library', knowledge('AI Proxy'), 'purple', {
    kind: 'knowledge',
    baseUrl: 'https://api.aiproxy.io',
    fields: [{ name: 'other', label: { zh: '知识库 ID', en: 'Knowledge base ID' }, required: false }],
    listsModels: false,
  }),
  type(22, 'fastgpt', knowledge('FastGPT'), 'blue', {
    kind: 'knowledge',
    baseUrl: 'https://fastgpt.run/api/openapi',
    keyFormat: 'APIKey-AppId',
    fields: [
      {
        name: 'base_url',
        label: { zh: '私有部署地址', en: 'Private deployment' },
        required: false,
        placeholder: 'https://fastgpt.run/api/openapi',
      },
    ],
    listsModels: false,
  }),
  type(23, 'hunyuan', { zh: '腾讯混元', en: 'Tencent Hunyuan' }, 'teal', {
    baseUrl: 'https://hunyuan.tencentcloudapi.com',
    keyFormat: 'AppId|SecretId|SecretKey',
    listsModels: false,
    signsBody: true,
  }),
  type(24, 'gemini', same('Google Gemini'), 'orange', { baseUrl: 'https://generativelanguage.googleapis.com' }),
  type(25, 'moonshot', same('Moonshot AI'), 'black', { baseUrl: 'https://api.moonshot.cn' }),
  type(26, 'baichuan', { zh: '百川大模型', en: 'Baichuan' }, 'orange', {
    baseUrl: 'https://api.baichuan-ai.com',
    listsModels: false,
  }),
  type(27, 'minimax', same('MiniMax'), 'red', { baseUrl: 'https://api.minimaxi.com' }),
  type(28, 'mistral', same('Mistral AI'), 'orange', { baseUrl: 'https://api.mistral.ai' }),
  type(29, 'groq', same('Groq'), 'orange', { baseUrl: 'https://api.groq.com/openai' }),
  type(30, 'ollama', same('Ollama'), 'black', { baseUrl: 'http://localhost:11434' }),
  type(31, 'lingyiwanwu', { zh: '零一万物', en: '01.AI' }, 'green', { baseUrl: 'https://api.lingyiwanwu.com' }),
  type(32, 'stepfun', { zh: '阶跃星辰', en: 'StepFun' }, 'blue', { baseUrl: 'https://api.stepfun.com' }),
  type(33, 'aws', same('AWS'), 'black', {
    keyFormat: 'ak|sk|region',
    signsBody: true,
    fields: [
      region,
      { name: 'config.ak', label: same('AK'), required: true, secret: true },
      { name: 'config.sk', label: same('SK'), required: true, secret: true },
    ],
  }),
  type(34, 'coze', same('Coze'), 'blue', {
    baseUrl: 'https://api.coze.com',
    fields: [{ name: 'config.user_id', label: { zh: '用户 ID', en: 'User ID' }, required: true }],
    listsModels: false,
  }),
  type(35, 'cohere', same('Cohere'), 'blue', { baseUrl: 'https://api.cohere.com' }),
  type(36, 'deepseek', same('DeepSeek'), 'black', { baseUrl: 'https://api.deepseek.com', balance: 'cny' }),
  type(37, 'cloudflare', same('Cloudflare'), 'orange', {
    baseUrl: 'https://api.cloudflare.com',
    fields: [{ name: 'config.user_id', label: { zh: '账户 ID', en: 'Account ID' }, required: true, place: true }],
  }),
  type(38, 'deepl', same('DeepL'), 'black', { baseUrl: 'https://api-free.deepl.com', listsModels: false }),
  type(39, 'together', same('together.ai'), 'blue', { baseUrl: 'https://api.together.xyz' }),
  type(40, 'doubao', { zh: '字节跳动豆包', en: 'ByteDance Doubao' }, 'blue', {
    baseUrl: 'https://ark.cn-beijing.volces.com',
  }),
  type(41, 'novita', same('Novita'), 'purple', { baseUrl: 'https://api.novita.ai/openai/v1' }),
  type(42, 'vertex', same('VertexAI'), 'blue', {
    keyFormat: 'region|project|adc',
    fields: [
      region,
      { name: 'config.vertex_ai_project_id', label: { zh: '项目 ID', en: 'Project ID' }, required: true, place: true },
      {
        name: 'config.vertex_ai_adc',
        label: { zh: '应用默认凭据（JSON）', en: 'Application default credentials (JSON)' },
        required: true,
        secret: true,
      },
    ],
  }),
  type(43, 'proxy', same('Proxy'), 'blue', {
    kind: 'own',
    hasModels: false,
    fields: [{ name: 'base_url', label: { zh: '上游地址', en: 'Upstream address' }, required: true }],
    listsModels: false,
  }),
]

/** The types of upstream that a channel can use. */
export const CHANNEL_TYPES: readonly ChannelType[] = [...FIRST_CHANNEL_TYPES, ...LATER_CHANNEL_TYPES]

const byValue = new Map(CHANNEL_TYPES.map((entry) => [entry.value, entry]))

export const channelType = (value: number) => byValue.get(value)

/**
 * Whether a key has as many parts as its vendor's keys do. FastGPT's may lack the app, and a dash occurs in any key, so
 * that separator is not counted.
 */
export function fitsKeyFormat(value: number, key: string) {
  const format = channelType(value)?.keyFormat ?? ''
  const [separator] = /[|.]/.exec(format) ?? []
  if (separator === undefined) return true
  const parts = key.split(separator)
  return parts.length === format.split(separator).length && parts.every((part) => part.trim() !== '')
}
