import type { BatchPrice } from './batch-adapter.ts'

/**
 * Vendors that accept batches, and their price as a factor of the usual token price. Tools billed per use keep their price.
 * A vendor that is not listed here accepts no batches through the gateway.
 */
export const BATCH_PRICES = {
  // https://platform.openai.com/docs/guides/batch: "50% lower costs" than the synchronous calls.
  openai: { times: 0.5 },
  // https://learn.microsoft.com/azure/foundry/openai/how-to/batch: "50% less cost than global standard".
  azure: { times: 0.5 },
  // https://docs.claude.com/en/docs/build-with-claude/batch-processing: all usage at 50 % of the standard prices.
  anthropic: { times: 0.5 },
  // https://ai.google.dev/gemini-api/docs/batch-api: at 50 % of the standard cost.
  gemini: { times: 0.5 },
  // https://docs.mistral.ai/studio-api/batch-processing: "at a 50% discount".
  mistral: { times: 0.5 },
  // https://console.groq.com/docs/batch: a 50 % discount on the synchronous prices.
  groq: { times: 0.5 },
  // https://help.aliyun.com/zh/model-studio/batch-interfaces-compatible-with-openai: half of the real-time price.
  bailian: { times: 0.5 },
  // https://docs.bigmodel.cn/cn/guide/tools/batch: the price is reduced by 50 %.
  zhipu: { times: 0.5 },
  // https://docs.siliconflow.cn/cn/userguide/guides/batch: half of the real-time price, for each model that takes batches.
  siliconflow: { times: 0.5 },
  // https://platform.kimi.ai/docs/pricing/batch: "60% of the standard model price".
  moonshot: { times: 0.6 },
  // https://docs.deepinfra.com/batch/introduction: "billed at 20% below real-time pricing".
  deepinfra: { times: 0.8 },
  // https://docs.x.ai/developers/advanced-api-usage/batch-api: reduced prices, without a figure for each model. 20 to 50 % is reported; the least of it
  // never charges less than the vendor does.
  xai: { times: 0.8 },
  // https://novita.ai/docs/guides/llm-batch-api: "you only pay for tokens consumed by completed requests"; it names no discount.
  novita: { times: 1 },
  // https://docs.together.ai/docs/inference/batch/overview: these run "at 50% off", "models not listed run at standard rates".
  together: {
    times: 0.5,
    models: [
      'meta-llama/Llama-3.3-70B-Instruct-Turbo',
      'meta-llama/Llama-3-70b-chat-hf',
      'Qwen/Qwen2.5-7B-Instruct-Turbo',
      'mistralai/Mixtral-8x7B-Instruct-v0.1',
      'zai-org/GLM-4.5-Air-FP8',
    ],
  },
} as const satisfies Record<string, BatchPrice>

export const batchPrice = (vendor: string): BatchPrice | undefined =>
  Object.hasOwn(BATCH_PRICES, vendor) ? BATCH_PRICES[vendor as keyof typeof BATCH_PRICES] : undefined
