import { z } from 'zod'

/** What an administrator may allow at most, and with it any key. */
export const RECORDING_BOUNDS = { daysMax: 365, sizeMax: 4096 } as const

/** Of which calls of a key the bodies are kept, how long, and how much of each. The administrator's bounds count in any case. */
export const RecordingSettings = z.strictObject({
  /** Only of calls that failed, or of all. */
  scope: z.enum(['errors', 'all']),
  /** Of a hundred such calls. */
  share: z.int().min(1).max(100),
  days: z.int().min(1).max(RECORDING_BOUNDS.daysMax),
  /** Of each body, in KB. */
  size: z.int().min(1).max(RECORDING_BOUNDS.sizeMax),
})

export type RecordingSettings = z.infer<typeof RecordingSettings>

/** What the administrator allows at most. */
export const RecordingMaxima = RecordingSettings.omit({ scope: true })

export type RecordingMaxima = z.infer<typeof RecordingMaxima>
