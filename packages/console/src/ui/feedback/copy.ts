import { copyText } from '../../lib/browser/clipboard.ts'
import { commonText } from '../../text/common.ts'
import { textNow } from '../../text/text.ts'
import { showForCopying } from './dialogs.ts'
import { toast } from './toast.ts'

interface CopyOptions {
  /** The success toast; "copied" by default. */
  done?: string
  /** Receives the value when copying fails, such as the page's search box; a dialog by default. */
  manual?: (value: string) => void
}

/** Copies with a toast; or reports the failure, and shows the value for copying by hand. */
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
