import { en } from './en/routes.ts'
import { bilingual } from './words.ts'
import { zh } from './zh/routes.ts'

export const routesText = bilingual(zh, en)
