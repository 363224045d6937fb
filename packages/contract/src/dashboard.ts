import { z } from 'zod'

/** What calls of one model came to in one day. */
export const DashboardRow = z.object({
  Day: z.string(),
  ModelName: z.string(),
  RequestCount: z.int(),
  Quota: z.int(),
  PromptTokens: z.int(),
  CompletionTokens: z.int(),
})

/** How far the caller's clock is ahead of UTC: 480 in Shanghai. Days begin and end by that clock. */
export const utcOffset = z.coerce
  .number()
  .int()
  .min(-12 * 60)
  .max(14 * 60)
  .default(0)

export type DashboardRow = z.infer<typeof DashboardRow>
