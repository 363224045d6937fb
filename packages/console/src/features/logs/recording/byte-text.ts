import { formatDecimal, formatExact } from '../../../lib/format/numbers.ts'

/** A size in human-readable form. */
export const byteText = (bytes: number) => {
  if (bytes < 1024) return `${formatExact(bytes)} B`
  const kilobytes = bytes / 1024
  return kilobytes < 1024 ? `${oneDigit(kilobytes)} KB` : `${oneDigit(kilobytes / 1024)} MB`
}

const oneDigit = (value: number) => formatDecimal(Math.round(value * 10) / 10)
