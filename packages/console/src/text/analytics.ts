import { en } from './en/analytics.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/analytics.ts'

export const analyticsText = bilingual(zh, en)
