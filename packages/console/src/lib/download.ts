/** Hands a text to the browser as a file. */
export function downloadText(fileName: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The browser has read the address by then; keeping it would keep the text in memory.
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
