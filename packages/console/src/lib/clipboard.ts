/** True when the text is in the clipboard. Browsers refuse without a secure address, focus or a permission. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

// Plain http, where many gateways run inside a company, has no clipboard interface; selecting and copying still works.
function copyBySelection(text: string) {
  const area = document.createElement('textarea')
  const focused = document.activeElement
  area.value = text
  area.setAttribute('readonly', '')
  area.style.position = 'fixed'
  area.style.opacity = '0'
  // Inside an open dialog the focus is trapped; the helper has to live there.
  const host = document.querySelector('[role="dialog"]') ?? document.body
  host.append(area)
  area.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    area.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}
