/** Appends a whole number from 0 on, seven bits in each byte. */
export const pushNumber = (bytes: number[], number: number) => {
  let rest = number
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  bytes.push(rest)
}

/** The number at this place, which moves behind it. */
export const numberAt = (bytes: Uint8Array, state: { at: number }) => {
  let value = 0
  for (let unit = 1; ; unit *= 128) {
    const byte = bytes[state.at++] ?? 0
    if (byte < 128) return value + byte * unit
    value += (byte - 128) * unit
  }
}
