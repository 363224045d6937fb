import type { Language } from '../errors.ts'

/** What is known of a request before anybody looked into it. */
export interface Arrival {
  requestId: string
  ip: string
  language: Language
  /** How many seconds the caller's connection may be quiet from now on; 0 is for ever. */
  quietUpTo(seconds: number): void
}
