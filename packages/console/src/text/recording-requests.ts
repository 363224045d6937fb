import { en } from './en/recording-requests.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/recording-requests.ts'

export const recordingRequestsText = bilingual(zh, en)
