import { en } from './en/recordings.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/recordings.ts'

export const recordingsText = bilingual(zh, en)
