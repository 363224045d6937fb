import { en } from './en/channel-transfer.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/channel-transfer.ts'

export const channelTransferText = bilingual(zh, en)
