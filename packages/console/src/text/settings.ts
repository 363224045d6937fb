import { en } from './en/settings.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/settings.ts'

export const settingsText = bilingual(zh, en)
