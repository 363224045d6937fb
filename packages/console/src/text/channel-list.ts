import { en } from './en/channel-list.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/channel-list.ts'

export const channelListText = bilingual(zh, en)
