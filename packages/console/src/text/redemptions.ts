import { en } from './en/redemptions.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/redemptions.ts'

export const redemptionsText = bilingual(zh, en)
