import type { Language } from '../errors.ts'

/** What is known of a request before anybody looked into it. */
export interface Arrival {
  requestId: string
  ip: string
  language: Language
}
