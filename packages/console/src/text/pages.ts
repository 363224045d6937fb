import { en } from './en/pages.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/pages.ts'

/** The two pages an operator fills with something of his own: about and chat. */
export const pagesText = bilingual(zh, en)
