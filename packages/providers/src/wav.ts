const HEAD_BYTES = 44

/** Adds a WAV header to 16-bit mono samples. */
export function wavFile(samples: Uint8Array, rate: number): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(HEAD_BYTES + samples.length)
  const head = new DataView(file.buffer)
  const text = (at: number, letters: string) => file.set(new TextEncoder().encode(letters), at)
  text(0, 'RIFF')
  head.setUint32(4, file.length - 8, true)
  text(8, 'WAVEfmt ')
  head.setUint32(16, 16, true)
  head.setUint16(20, 1, true)
  head.setUint16(22, 1, true)
  head.setUint32(24, rate, true)
  head.setUint32(28, rate * 2, true)
  head.setUint16(32, 2, true)
  head.setUint16(34, 16, true)
  text(36, 'data')
  head.setUint32(40, samples.length, true)
  file.set(samples, HEAD_BYTES)
  return file
}
