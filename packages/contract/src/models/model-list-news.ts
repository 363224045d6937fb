import { z } from 'zod'

/** Counts of changes found in the last check of the provider's model list. */
export const ModelListNews = z.object({
  added: z.int(),
  missing: z.int(),
  /** Why the list could not be fetched the last time; null when it was. */
  error: z.object({ zh: z.string(), en: z.string() }).nullable(),
})

export type ModelListNews = z.infer<typeof ModelListNews>
