import { en } from './en/channel-keys.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/channel-keys.ts'

export const channelKeysText = bilingual(zh, en)
