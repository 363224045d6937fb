import { en } from './en/personal-settings.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/personal-settings.ts'

export const personalSettingsText = bilingual(zh, en)
