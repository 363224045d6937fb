import { OUTCOMES } from '@tollgate/contract'
import { z } from 'zod'
import type { SettleCommand } from '../commands.ts'

const LogLine = z.object({
  user_id: z.int(),
  created_at: z.int(),
  type: z.int(),
  channel: z.int(),
  username: z.string(),
  token_name: z.string(),
  model_name: z.string(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  quota: z.int(),
  content: z.string(),
  content_en: z.string(),
  request_id: z.string(),
  elapsed_time: z.int(),
  first_byte_time: z.int(),
  is_stream: z.int(),
  detail: z.string(),
  session: z.string().nullable(),
  /** Missing in lines of older versions. */
  outcome: z.enum(OUTCOMES).optional(),
  cached_tokens: z.int().default(0),
  cache_write_tokens: z.int().default(0),
  reasoning_tokens: z.int().default(0),
})

const Line = z.object({
  type: z.literal('settle'),
  id: z.string(),
  payer: z.object({ userId: z.int(), tokenId: z.int() }).optional(),
  budgets: z.array(z.object({ id: z.int(), slot: z.int(), from: z.int(), until: z.int() })).optional(),
  actual: z.int(),
  done: z.boolean(),
  channelId: z.int().nullable(),
  channelKeyId: z.int().optional(),
  keepLog: z.boolean(),
  now: z.int(),
  log: LogLine.optional(),
  moreLogs: z.array(LogLine).optional(),
})

export const journalLine = (command: SettleCommand) => `${JSON.stringify(command)}\n`

/**
 * The settlements of a journal. The last line may be torn: its process died before it confirmed it. Zeros may follow. A complete line that cannot
 * be parsed, perhaps of another version, is still a charge, and counted.
 */
export function journalLines(text: string): { commands: SettleCommand[]; unreadable: number } {
  const whole = text.replace(/\0+$/, '').split('\n').slice(0, -1)
  const commands = whole.flatMap((line) => {
    const { data } = Line.safeParse(parsed(line))
    if (data === undefined) return []
    const withOutcome = (log: z.infer<typeof LogLine>) => ({
      ...log,
      outcome: log.outcome ?? (data.done ? ('success' as const) : ('upstream_error' as const)),
    })
    return [{ ...data, log: data.log && withOutcome(data.log), moreLogs: data.moreLogs?.map(withOutcome) }]
  })
  return { commands, unreadable: whole.length - commands.length }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
