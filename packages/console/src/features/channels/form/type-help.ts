import type { Words } from '../../../text/words.ts'
import type { zh } from '../../../text/zh/channels.ts'

/** What to know about a vendor before filling in the rest. */
export function typeHelp(type: number, text: Words<typeof zh>) {
  switch (type) {
    case 3:
      return text.azureHelp
    case 8:
      return text.customHelp
    case 11:
      return text.palmHelp
    case 30:
    case 59:
    case 60:
      return text.keylessHelp
    case 34:
      return text.cozeHelp
    case 40:
      return text.doubaoHelp
    case 47:
      return text.qianfanHelp
    case 48:
      return text.sparkHttpHelp
    case 50:
      return text.compatibleHelp
    default:
      return undefined
  }
}
