/**
 * Vendors that accept batches, and their price as a factor of the usual token price. Tools billed per use keep their price.
 * A vendor that is not listed here accepts no batches through the gateway.
 */
export const BATCH_PRICES: Readonly<Record<string, number>> = {
  // https://platform.openai.com/docs/guides/batch: "50% lower costs" than the synchronous calls.
  openai: 0.5,
  // https://docs.claude.com/en/docs/build-with-claude/batch-processing: all usage at 50 % of the standard prices.
  anthropic: 0.5,
  // https://console.groq.com/docs/batch: a 50 % discount on the synchronous prices.
  groq: 0.5,
  // https://help.aliyun.com/zh/model-studio/batch-interfaces-compatible-with-openai: half of the real-time price.
  bailian: 0.5,
}
