import type { ModelPrice } from '@pydantic/genai-prices'

/*
 * List prices that the price library lacks, for default models of channel types, as far as they are known: they were not
 * verified against the vendor's page, which is given with each list. Models without a price in either are not offered.
 */

interface PriceList {
  /** The channel types that use these model names. */
  types: readonly number[]
  /** Where the vendor publishes its prices. */
  page: string
  /** One unit of the list's currency in dollars. */
  dollars: number
  /** Per million tokens: input, and output if it differs. */
  perMillion: Readonly<Record<string, number | readonly [input: number, output: number]>>
  /** Per image. */
  perPicture?: Readonly<Record<string, number>>
  /** Per task. */
  perTask?: Readonly<Record<string, number>>
}

/** Seven yuan to a dollar, as in the ratio tables of other gateways. */
const YUAN = 1 / 7

const LISTS: readonly PriceList[] = [
  {
    types: [15, 47],
    page: 'https://cloud.baidu.com/doc/qianfan-docs/s/Jm8r1826a',
    dollars: YUAN,
    perMillion: {
      'ernie-4.0-8k': [30, 90],
      'ernie-4.0-turbo-8k': [20, 60],
      'ernie-3.5-8k': [0.8, 2],
      'ernie-3.5-128k': [0.8, 2],
      'ernie-speed-128k': 0,
      'ernie-lite-8k': 0,
      'ernie-4.5-turbo-128k': [0.8, 3.2],
      'ernie-4.5-turbo-vl': [3, 9],
      'ernie-x1.1': [1, 4],
      'ernie-speed-pro-128k': [0.3, 0.6],
      'embedding-v1': 0.5,
      'bge-large-zh': 0.5,
      'tao-8k': 0.5,
    },
  },
  {
    types: [16],
    page: 'https://open.bigmodel.cn/pricing',
    dollars: YUAN,
    perMillion: { 'glm-4.5-flash': 0, 'embedding-3': 0.5 },
    perPicture: { 'cogview-4-250304': 0.06 },
    perTask: { 'cogvideox-flash': 0 },
  },
  {
    types: [16],
    page: 'https://docs.z.ai/guides/video/cogvideox-3',
    dollars: 1,
    perMillion: {},
    perTask: { 'cogvideox-3': 0.2 },
  },
  {
    types: [17, 49],
    page: 'https://help.aliyun.com/zh/model-studio/models',
    dollars: YUAN,
    perMillion: { 'qwen-flash': [0.15, 1.5], 'qwen-long': [0.5, 2], 'text-embedding-v4': 0.5 },
  },
  {
    types: [18, 48],
    page: 'https://xinghuo.xfyun.cn/sparkapi',
    dollars: YUAN,
    perMillion: { 'spark-lite': 0, lite: 0 },
  },
  {
    types: [23],
    page: 'https://cloud.tencent.com/document/product/1729/97731',
    dollars: YUAN,
    perMillion: {
      'hunyuan-turbos-latest': [0.8, 2],
      'hunyuan-t1-latest': [1, 4],
      'hunyuan-large': [4, 12],
      'hunyuan-standard-256k': [0.5, 2],
      'hunyuan-lite': 0,
      'hunyuan-embedding': 0.7,
    },
  },
  {
    types: [24],
    page: 'https://ai.google.dev/gemini-api/docs/pricing',
    dollars: 1,
    perMillion: { 'gemma-4-26b-a4b-it': 0, 'gemma-4-31b-it': 0 },
  },
  {
    types: [26],
    page: 'https://platform.baichuan-ai.com/prices',
    dollars: YUAN,
    perMillion: {
      'baichuan-m3-plus': [5, 9],
      'baichuan-m3': [10, 30],
      'baichuan4-turbo': 15,
      'baichuan4-air': 0.98,
      baichuan4: 100,
      'baichuan3-turbo-128k': 24,
      'baichuan-text-embedding': 0.5,
    },
  },
  {
    types: [31],
    page: 'https://platform.lingyiwanwu.com/docs#模型与计费',
    dollars: YUAN,
    perMillion: { 'yi-lightning': 0.99, 'yi-vision-v2': 6 },
  },
  {
    types: [32],
    page: 'https://platform.stepfun.com/docs/pricing/details',
    dollars: YUAN,
    perMillion: { 'step-1o-turbo-vision': [2.5, 8], 'step-1-256k': [95, 300] },
  },
  {
    types: [44],
    page: 'https://siliconflow.cn/pricing',
    dollars: YUAN,
    perMillion: { 'qwen/qwen3-8b': 0, 'baai/bge-m3': 0, 'baai/bge-reranker-v2-m3': 0 },
  },
  {
    types: [46],
    page: 'https://replicate.com/pricing',
    dollars: 1,
    perMillion: { 'meta/meta-llama-3-70b-instruct': [0.65, 2.75], 'anthropic/claude-4.5-sonnet': [3, 15] },
    perPicture: {
      'black-forest-labs/flux-1.1-pro': 0.04,
      'black-forest-labs/flux-schnell': 0.003,
      'ideogram-ai/ideogram-v3-turbo': 0.03,
      'recraft-ai/recraft-v3': 0.04,
    },
  },
  {
    // No official list: Midjourney sells subscriptions, and this is what similar gateways charge for a task by default.
    types: [61],
    page: 'https://docs.newapi.pro/api/midjourney-proxy-image',
    dollars: 1,
    perMillion: {},
    perTask: {
      mj_imagine: 0.1,
      mj_variation: 0.1,
      mj_high_variation: 0.1,
      mj_low_variation: 0.1,
      mj_reroll: 0.1,
      mj_blend: 0.1,
      mj_zoom: 0.1,
      mj_pan: 0.1,
      mj_shorten: 0.1,
      mj_upscale: 0.05,
      mj_describe: 0.05,
      // These two only open a modal; its result is charged with `mj_modal`.
      mj_inpaint: 0,
      mj_custom_zoom: 0,
      mj_modal: 0.1,
    },
  },
]

/** An image counts as a thousand tokens (`relay/meter/image-output.ts`). */
const PICTURES_PER_MILLION = 1000

/** A task counts as a thousand tokens, and nothing else of it costs anything. */
const TASKS_PER_MILLION = 1000

const known = new Map<string, ModelPrice>()
for (const { types, dollars, perMillion, perPicture = {}, perTask = {} } of LISTS) {
  for (const type of types) {
    for (const [model, price] of Object.entries(perMillion)) {
      const [input, output] = typeof price === 'number' ? [price, price] : price
      known.set(`${model}(${type})`, { input_mtok: input * dollars, output_mtok: output * dollars })
    }
    for (const [model, price] of Object.entries(perPicture)) {
      const output_image_mtok = price * dollars * PICTURES_PER_MILLION
      known.set(`${model}(${type})`, { input_mtok: 0, output_mtok: 0, output_image_mtok })
    }
    for (const [model, price] of Object.entries(perTask)) {
      known.set(`${model}(${type})`, { input_mtok: price * dollars * TASKS_PER_MILLION, output_mtok: 0 })
    }
  }
}

/** The list price of a vendor that the price library lacks; undefined when unknown here too. */
export const ownPrice = (model: string, channelType: number) => known.get(`${model.toLowerCase()}(${channelType})`)
