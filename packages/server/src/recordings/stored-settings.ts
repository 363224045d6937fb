import { RecordingRequest, RecordingSettings } from '@tollgate/contract'
import type { z } from 'zod'

/** The column of a token. Unparsable text, after a manual edit, records nothing. */
export const storedRecordingSettings = (text: string): RecordingSettings | null => parsed(RecordingSettings, text)

export const recordingSettingsText = (settings: RecordingSettings | null) =>
  settings === null ? '' : JSON.stringify(settings)

export const storedRecordingRequest = (text: string): RecordingRequest | null => parsed(RecordingRequest, text)

function parsed<S extends z.ZodType>(schema: S, text: string): z.infer<S> | null {
  if (text === '') return null
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
