import type { Text } from './endpoint.ts'
import { Defaults } from './limits.ts'

/** Where the value of a special field is kept on the channel. */
export type ChannelFieldName =
  | 'base_url'
  | 'other'
  | 'config.region'
  | 'config.ak'
  | 'config.sk'
  | 'config.user_id'
  | 'config.vertex_ai_project_id'
  | 'config.vertex_ai_adc'

export interface ChannelField {
  name: ChannelFieldName
  label: Text
  required: boolean
  placeholder?: string
  /** Used when the field is left empty. */
  default?: string
  /** Write-only: an answer never carries it. */
  secret?: true
}

/** In which unit a vendor states a balance; absent where it cannot be asked. */
export type BalanceUnit = 'usd' | 'cny' | 'cny10000' | 'quota'

export interface ChannelType {
  value: number
  key: string
  label: Text
  color: string
  fields: readonly ChannelField[]
  /** How the parts of a compound key are joined. */
  keyFormat?: string
  balance?: BalanceUnit
  /** False for the plain proxy, which relays any path and knows no models. */
  hasModels: boolean
}

const same = (name: string): Text => ({ zh: name, en: name })
const proxy = (name: string): Text => ({ zh: `代理：${name}`, en: `Proxy: ${name}` })
const knowledge = (name: string): Text => ({ zh: `知识库：${name}`, en: `Knowledge base: ${name}` })

const type = (
  value: number,
  key: string,
  label: Text,
  color: string,
  more: Partial<Pick<ChannelType, 'fields' | 'keyFormat' | 'balance' | 'hasModels'>> = {},
): ChannelType => ({ value, key, label, color, fields: [], hasModels: true, ...more })

const region: ChannelField = {
  name: 'config.region',
  label: { zh: '区域', en: 'Region' },
  required: true,
  placeholder: 'us-east-1',
}

/** The kinds of upstream a channel can speak to. The numbers are part of the wire and never change. */
export const CHANNEL_TYPES: readonly ChannelType[] = [
  type(1, 'openai', same('OpenAI'), 'green', { balance: 'usd' }),
  type(2, 'api2d', proxy('API2D'), 'blue'),
  type(3, 'azure', same('Azure OpenAI'), 'olive', {
    fields: [
      {
        name: 'base_url',
        label: { zh: '部署地址', en: 'Deployment endpoint' },
        required: true,
        placeholder: 'https://resource.openai.azure.com',
      },
      {
        name: 'other',
        label: { zh: '默认 API 版本', en: 'Default API version' },
        required: false,
        default: Defaults.azureApiVersion,
      },
    ],
  }),
  type(4, 'closeai', proxy('CloseAI'), 'teal', { balance: 'cny' }),
  type(5, 'openai-sb', proxy('OpenAI-SB'), 'brown', { balance: 'cny10000' }),
  type(6, 'openai-max', proxy('OpenAI Max'), 'violet'),
  type(7, 'ohmygpt', proxy('OhMyGPT'), 'purple'),
  type(8, 'custom', { zh: '自定义渠道', en: 'Custom channel' }, 'pink', {
    balance: 'usd',
    fields: [
      {
        name: 'base_url',
        label: { zh: '自定义 Base URL', en: 'Custom base URL' },
        required: true,
        placeholder: 'https://example.com',
      },
    ],
  }),
  type(9, 'ails', proxy('AI.LS'), 'yellow'),
  type(10, 'aiproxy', proxy('AI Proxy'), 'purple', { balance: 'quota' }),
  type(11, 'palm', same('Google PaLM2'), 'orange'),
  type(12, 'api2gpt', proxy('API2GPT'), 'blue', { balance: 'cny' }),
  type(13, 'aigc2d', proxy('AIGC2D'), 'purple', { balance: 'quota' }),
  type(14, 'anthropic', same('Anthropic Claude'), 'black'),
  type(15, 'baidu', { zh: '百度文心千帆', en: 'Baidu Wenxin' }, 'blue', { keyFormat: 'APIKey|SecretKey' }),
  type(16, 'zhipu', { zh: '智谱 ChatGLM', en: 'Zhipu ChatGLM' }, 'violet'),
  type(17, 'qwen', { zh: '阿里通义千问', en: 'Alibaba Tongyi Qianwen' }, 'orange', {
    fields: [{ name: 'other', label: { zh: '插件参数', en: 'Plugin parameter' }, required: false }],
  }),
  type(18, 'spark', { zh: '讯飞星火认知', en: 'iFlytek Spark' }, 'blue', {
    keyFormat: 'APPID|APISecret|APIKey',
    fields: [{ name: 'other', label: { zh: '模型版本', en: 'Model version' }, required: false, placeholder: 'v3.5' }],
  }),
  type(19, 'zhinao', { zh: '360 智脑', en: '360 Zhinao' }, 'blue'),
  type(20, 'openrouter', proxy('OpenRouter'), 'black'),
  type(21, 'aiproxy-library', knowledge('AI Proxy'), 'purple', {
    fields: [{ name: 'other', label: { zh: '知识库 ID', en: 'Knowledge base ID' }, required: false }],
  }),
  type(22, 'fastgpt', knowledge('FastGPT'), 'blue', {
    keyFormat: 'APIKey-AppId',
    fields: [
      {
        name: 'base_url',
        label: { zh: '私有部署地址', en: 'Private deployment' },
        required: false,
        placeholder: 'https://fastgpt.run/api/openapi',
      },
    ],
  }),
  type(23, 'hunyuan', { zh: '腾讯混元', en: 'Tencent Hunyuan' }, 'teal', { keyFormat: 'AppId|SecretId|SecretKey' }),
  type(24, 'gemini', same('Google Gemini'), 'orange'),
  type(25, 'moonshot', same('Moonshot AI'), 'black'),
  type(26, 'baichuan', { zh: '百川大模型', en: 'Baichuan' }, 'orange'),
  type(27, 'minimax', same('MiniMax'), 'red'),
  type(28, 'mistral', same('Mistral AI'), 'orange'),
  type(29, 'groq', same('Groq'), 'orange'),
  type(30, 'ollama', same('Ollama'), 'black'),
  type(31, 'lingyiwanwu', { zh: '零一万物', en: '01.AI' }, 'green'),
  type(32, 'stepfun', { zh: '阶跃星辰', en: 'StepFun' }, 'blue'),
  type(33, 'aws', same('AWS'), 'black', {
    keyFormat: 'ak|sk|region',
    fields: [
      region,
      { name: 'config.ak', label: same('AK'), required: true, secret: true },
      { name: 'config.sk', label: same('SK'), required: true, secret: true },
    ],
  }),
  type(34, 'coze', same('Coze'), 'blue', {
    fields: [{ name: 'config.user_id', label: { zh: '用户 ID', en: 'User ID' }, required: true }],
  }),
  type(35, 'cohere', same('Cohere'), 'blue'),
  type(36, 'deepseek', same('DeepSeek'), 'black'),
  type(37, 'cloudflare', same('Cloudflare'), 'orange', {
    fields: [{ name: 'config.user_id', label: { zh: '账户 ID', en: 'Account ID' }, required: true }],
  }),
  type(38, 'deepl', same('DeepL'), 'black'),
  type(39, 'together', same('together.ai'), 'blue'),
  type(40, 'doubao', { zh: '字节跳动豆包', en: 'ByteDance Doubao' }, 'blue'),
  type(41, 'novita', same('Novita'), 'purple'),
  type(42, 'vertex', same('VertexAI'), 'blue', {
    keyFormat: 'region|project|adc',
    fields: [
      region,
      { name: 'config.vertex_ai_project_id', label: { zh: '项目 ID', en: 'Project ID' }, required: true },
      {
        name: 'config.vertex_ai_adc',
        label: { zh: '应用默认凭据（JSON）', en: 'Application default credentials (JSON)' },
        required: true,
        secret: true,
      },
    ],
  }),
  type(43, 'proxy', same('Proxy'), 'blue', {
    hasModels: false,
    fields: [{ name: 'base_url', label: { zh: '上游地址', en: 'Upstream address' }, required: true }],
  }),
]

const byValue = new Map(CHANNEL_TYPES.map((entry) => [entry.value, entry]))

export const channelType = (value: number) => byValue.get(value)
