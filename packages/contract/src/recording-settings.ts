import { z } from 'zod'

/** The highest values an administrator may allow, and so the highest for any key. */
export const RECORDING_BOUNDS = { daysMax: 365, sizeMax: 4096 } as const

/** Which calls of a key are recorded, how long, and how much of each body. The administrator's maxima always apply. */
export const RecordingSettings = z.strictObject({
  /** Failed calls only, or all. */
  scope: z.enum(['errors', 'all']),
  /** Percent of such calls. */
  share: z.int().min(1).max(100),
  days: z.int().min(1).max(RECORDING_BOUNDS.daysMax),
  /** KB per body. */
  size: z.int().min(1).max(RECORDING_BOUNDS.sizeMax),
})

export type RecordingSettings = z.infer<typeof RecordingSettings>

/** The maxima set by the administrator. */
export const RecordingMaxima = RecordingSettings.omit({ scope: true })

export type RecordingMaxima = z.infer<typeof RecordingMaxima>
