import { z } from 'zod'

/** One message as every way sends it, in the language of its recipient. It is kept as JSON until it was accepted. */
export const AlertMessage = z.object({
  event: z.enum(['alert', 'over', 'test']),
  kind: z.string(),
  /** What of the kind: the id of a channel, of a key or of a budget; empty where there is only one. */
  subject: z.string(),
  title: z.string(),
  lines: z.array(z.string()),
  /** The screen that shows more. */
  link: z.string(),
  language: z.enum(['zh', 'en']),
  /** Unix seconds. */
  at: z.int(),
})

export type AlertMessage = z.infer<typeof AlertMessage>

/** As plain text, for ways that have nothing else. */
export const plainText = ({ title, lines, link }: AlertMessage) => [title, ...lines, link].join('\n')
