import { z } from 'zod'

/** Every answer of the management API. An error has `success: false` and a `message`. */
export const Envelope = z.object({
  success: z.boolean(),
  message: z.string(),
  data: z.unknown().optional(),
  /** The request field that the error is about. */
  field: z.string().optional(),
  /** Of a refused edit: the stored values that somebody else has saved since. */
  changed: z.record(z.string(), z.unknown()).optional(),
})

export type Envelope = z.infer<typeof Envelope>
