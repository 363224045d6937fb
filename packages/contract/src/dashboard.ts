import { z } from 'zod'

/** The totals of one model on one day. */
export const DashboardRow = z.object({
  Day: z.string(),
  ModelName: z.string(),
  RequestCount: z.int(),
  Quota: z.int(),
  PromptTokens: z.int(),
  CompletionTokens: z.int(),
})

/** The caller's offset from UTC in minutes, 480 in Shanghai. Days start and end in that zone. */
export const utcOffset = z.coerce
  .number()
  .int()
  .min(-12 * 60)
  .max(14 * 60)
  .default(0)

export type DashboardRow = z.infer<typeof DashboardRow>
