import { stored } from './storage.ts'

/** Whether this very text was the last notice that this browser showed. */
export const isNoticeSeen = (notice: string) => stored.read('prompt-notice') === fingerprint(notice)

export const markNoticeSeen = (notice: string) => stored.write('prompt-notice', fingerprint(notice))

/** Short and good enough to tell one notice from the next (FNV-1a). */
export const fingerprint = (text: string) => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return `${(hash >>> 0).toString(36)}-${text.length.toString(36)}`
}
