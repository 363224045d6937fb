import { en } from './en/users.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/users.ts'

export const usersText = bilingual(zh, en)
