import { z } from 'zod'
import { line } from '../api/fields.ts'
import { Limits } from '../api/limits.ts'

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

/** An administrator asks the owner of a key to record its calls. Nothing is recorded until the owner agrees. */
export const RecordingRequest = z.object({
  settings: RecordingSettings,
  /** Why, in the administrator's words. */
  reason: line(Limits.reasonMax),
  /** The owner declined. It stays visible to administrators until they ask again or withdraw it. */
  declined: z.boolean(),
})

export type RecordingRequest = z.infer<typeof RecordingRequest>
