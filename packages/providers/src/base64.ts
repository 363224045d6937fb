/** Two pieces of data as one. Text can be put together only where the first piece ends at a whole group of characters. */
export function joinBase64(one: string, other: string): string {
  if (one.length % 4 === 0 && !one.endsWith('=')) return one + other
  return encode([...decode(one), ...decode(other)])
}

/** Samples of 16 bits at 24 kHz, one channel: what vendors of speech send, in the head that makes it a file. */
export function wavOf(pcm16: string): string {
  const samples = decode(pcm16)
  const head = new DataView(new ArrayBuffer(44))
  const text = (at: number, word: string) => {
    for (const [index, character] of [...word].entries()) head.setUint8(at + index, character.charCodeAt(0))
  }
  text(0, 'RIFF')
  head.setUint32(4, 36 + samples.length, true)
  text(8, 'WAVEfmt ')
  head.setUint32(16, 16, true)
  head.setUint16(20, 1, true)
  head.setUint16(22, 1, true)
  head.setUint32(24, RATE, true)
  head.setUint32(28, RATE * 2, true)
  head.setUint16(32, 2, true)
  head.setUint16(34, 16, true)
  text(36, 'data')
  head.setUint32(40, samples.length, true)
  return encode([...new Uint8Array(head.buffer), ...samples])
}

const RATE = 24_000

const decode = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

const encode = (bytes: readonly number[]) => {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}
