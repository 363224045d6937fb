import { useLocale } from '../text/text.ts'
import { SERVER_ADDRESS } from './address.ts'

/** The guide, which the server has in both languages. */
export const useGuideAddress = () => `${SERVER_ADDRESS}/docs/guide/${useLocale() === 'en' ? 'en' : 'zh'}`
