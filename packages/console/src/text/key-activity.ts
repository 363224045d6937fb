import { en } from './en/key-activity.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/key-activity.ts'

export const keyActivityText = bilingual(zh, en)
