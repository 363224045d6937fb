import { copyText } from '../../lib/clipboard.ts'
import { commonText } from '../../text/common.ts'
import { textNow } from '../../text/text.ts'
import { showForCopying } from './dialogs.ts'
import { toast } from './toast.ts'

interface CopyOptions {
  /** The success toast; "copied" otherwise. */
  done?: string
  /** Where the value goes when the clipboard is closed, such as the page's search box; a dialog otherwise. */
  manual?: (value: string) => void
}

/** Copies, and says so; or says that it cannot, and puts the value where it can be copied by hand. */
export async function copy(value: string, { done, manual }: CopyOptions = {}) {
  const text = textNow(commonText)
  if (await copyText(value)) {
    toast.success(done ?? text.copied)
    return
  }
  toast.warning(manual === undefined ? text.copyFailed : text.copyFailedSearch)
  const show = manual ?? showForCopying
  show(value)
}
