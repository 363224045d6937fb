import { z } from 'zod'

/** A message for any delivery channel, in the language of its recipient. It is stored as JSON until it is accepted. */
export const AlertMessage = z.object({
  event: z.enum(['alert', 'over', 'test']),
  kind: z.string(),
  /** The id of a channel, key or budget; empty when the kind has a single subject. */
  subject: z.string(),
  title: z.string(),
  lines: z.array(z.string()),
  /** The console page with details. */
  link: z.string(),
  language: z.enum(['zh', 'en']),
  /** Unix seconds. */
  at: z.int(),
})

export type AlertMessage = z.infer<typeof AlertMessage>

/** As plain text, for channels without formatting. */
export const plainText = ({ title, lines, link }: AlertMessage) => [title, ...lines, link].join('\n')
