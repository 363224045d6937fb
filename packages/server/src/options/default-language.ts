import type { OptionValues } from '@tollgate/contract'
import type { Language } from '../common/errors.ts'

/** The language of messages without a known reader. When the browser decides and there is none, Chinese. */
export const defaultLanguage = ({ DefaultLocale }: Pick<OptionValues, 'DefaultLocale'>): Language =>
  DefaultLocale === 'en' ? 'en' : 'zh'
