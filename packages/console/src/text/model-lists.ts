import { en } from './en/model-lists.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/model-lists.ts'

export const modelListsText = bilingual(zh, en)
