import { RecordingSettings } from '@tollgate/contract'

/** The column of a token. What cannot be read, after an edit by hand, keeps nothing. */
export const storedRecordingSettings = (text: string): RecordingSettings | null => {
  if (text === '') return null
  try {
    return RecordingSettings.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

export const recordingSettingsText = (settings: RecordingSettings | null) =>
  settings === null ? '' : JSON.stringify(settings)
