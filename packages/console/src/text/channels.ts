import { en } from './en/channels.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/channels.ts'

export const channelsText = bilingual(zh, en)
