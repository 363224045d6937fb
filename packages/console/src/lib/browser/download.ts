/** Downloads a text as a file. */
export const downloadText = (fileName: string, text: string) =>
  downloadBlob(fileName, new Blob([text], { type: 'text/plain;charset=utf-8' }))

export function downloadBlob(fileName: string, content: Blob) {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The browser has read the URL by then; keeping it would keep the content in memory.
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
