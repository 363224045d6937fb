import { en } from './en/alerts.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/alerts.ts'

export const alertsText = bilingual(zh, en)
