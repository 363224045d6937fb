import { z } from 'zod'

/** What the last look at its provider's list of models found for a channel, in figures. */
export const ModelListNews = z.object({
  added: z.int(),
  missing: z.int(),
  /** Why the list could not be read the last time; null when it was. */
  error: z.object({ zh: z.string(), en: z.string() }).nullable(),
})

export type ModelListNews = z.infer<typeof ModelListNews>
