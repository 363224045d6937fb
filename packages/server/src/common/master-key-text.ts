export const parseMasterKey = (text: string): Uint8Array | undefined => {
  const encoding = /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64'
  const key = Buffer.from(text, encoding)
  return key.length === 32 ? key : undefined
}
