import type { Words } from '../../text/words.ts'
import type { zh } from '../../text/zh/channels.ts'

/** What one has to know about a vendor before filling in the rest. */
export function typeHelp(type: number, text: Words<typeof zh>) {
  switch (type) {
    case 3:
      return text.azureHelp
    case 8:
      return text.customHelp
    case 34:
      return text.cozeHelp
    case 40:
      return text.doubaoHelp
    default:
      return undefined
  }
}
