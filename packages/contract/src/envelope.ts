import { z } from 'zod'

/** Every answer of the management API. A refusal has `success: false` and says why in `message`. */
export const Envelope = z.object({
  success: z.boolean(),
  message: z.string(),
  data: z.unknown().optional(),
  /** Of a refusal: the field of the request that it is about. */
  field: z.string().optional(),
})

export type Envelope = z.infer<typeof Envelope>
