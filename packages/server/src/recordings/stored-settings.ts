import { RecordingSettings } from '@tollgate/contract'

/** The column of a token. Unparsable text, after a manual edit, records nothing. */
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
