import { en } from './en/pages.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/pages.ts'

/** The two pages with operator content: about and chat. */
export const pagesText = bilingual(zh, en)
