import { stored } from '../browser/storage.ts'

/** Whether this browser has shown this notice. */
export const isNoticeSeen = (notice: string) =>
  isSeen(notice, { flag: stored.read('prompt-notice'), shown: stored.read('prompt-notice-shown') })

export function markNoticeSeen(notice: string) {
  stored.write('prompt-notice', 'true')
  stored.write('prompt-notice-shown', fingerprint(notice))
}

/**
 * The flag alone means that notices were shown and are not shown again. If the shown one is known, another one is new. Earlier versions
 * stored the fingerprint in the flag itself.
 */
export const isSeen = (notice: string, { flag, shown }: { flag: string | null; shown: string | null }) => {
  if (flag !== 'true') return flag === fingerprint(notice)
  return shown === null || shown === fingerprint(notice)
}

/** Short and good enough to distinguish notices (FNV-1a). */
export const fingerprint = (text: string) => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return `${(hash >>> 0).toString(36)}-${text.length.toString(36)}`
}
