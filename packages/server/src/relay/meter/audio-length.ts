/*
 * The duration of an audio file from its container. Vendors bill audio by time, and not all of them report it. Decoders ignore what a
 * container says about its duration, so a caller may write anything there: a file is never shorter than its format allows.
 */

/** Enough for the headers of all containers, and for the last page of an Ogg file or the index of an MP4. */
const SCANNED_BYTES = 64 * 1024

/** 128 kbit/s, when the file does not say. */
const USUAL_BYTES_PER_SEC = 16_000
/** Browsers record speech in WebM at 32 kbit/s, without a duration. */
const WEBM_BYTES_PER_SEC = 4000

export const audioSeconds = async (file: Blob): Promise<number> => {
  const head = await bytesOf(file.slice(0, SCANNED_BYTES))
  const tail = file.size <= SCANNED_BYTES ? head : await bytesOf(file.slice(-SCANNED_BYTES))
  return secondsOf(head, tail, file.size)
}

/** The same for a file in memory. */
export const audioSecondsIn = (bytes: Uint8Array): number => {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return secondsOf(all.subarray(0, SCANNED_BYTES), all.subarray(-SCANNED_BYTES), all.length)
}

/** Of MP3 (320 kbit/s), of Opus and Vorbis (512), of any other sound, and of a video. */
const MOST_BYTES_PER_SEC = { mp3: 40_000, ogg: 64_000, sound: 200_000, video: 1_250_000 }

/** The same for base64; undefined when the container does not say. */
export const audioSecondsPacked = (base64: string): number | undefined => {
  const letters = Math.ceil(SCANNED_BYTES / 3) * 4
  const head = Buffer.from(base64.slice(0, letters), 'base64')
  const isWhole = base64.length <= letters
  const tail = isWhole ? head : Buffer.from(base64.slice(base64.length - (base64.length % 4) - letters), 'base64')
  const seconds = secondsBy(head, tail, Math.ceil((base64.length * 3) / 4))
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}

/** The same for a stream, as far as it has arrived. */
export const measureAudio = () => {
  let head: Buffer = Buffer.alloc(0)
  let tail: Buffer = head
  let size = 0
  return {
    push(bytes: Uint8Array) {
      size += bytes.length
      if (head.length < SCANNED_BYTES) head = Buffer.concat([head, bytes]).subarray(0, SCANNED_BYTES)
      tail = Buffer.concat([tail, bytes.subarray(-SCANNED_BYTES)]).subarray(-SCANNED_BYTES)
    },
    size: () => size,
    seconds: () => (size === 0 ? 0 : secondsOf(head, tail, size)),
  }
}

function secondsOf(head: Buffer, tail: Buffer, size: number) {
  const seconds = secondsBy(head, tail, size)
  return Number.isFinite(seconds) && seconds > 0 ? seconds : size / USUAL_BYTES_PER_SEC
}

const bytesOf = async (blob: Blob) => Buffer.from(await blob.arrayBuffer())

/** Broken or truncated files have no duration. */
function secondsBy(head: Buffer, tail: Buffer, size: number): number {
  try {
    const mark = head.toString('latin1', 0, 12)
    if (mark.startsWith('RIFF') && mark.endsWith('WAVE')) return wavSeconds(head, size)
    if (mark.startsWith('fLaC')) return flacSeconds(head, size)
    if (mark.startsWith('OggS')) return oggSeconds(head, tail, size)
    if (mark.slice(4, 8) === 'ftyp') return mp4Seconds(head, size) || mp4Seconds(tail, size)
    if (mark.startsWith('\x1a\x45\xdf\xa3')) return size / WEBM_BYTES_PER_SEC
    return mp3Seconds(head, size)
  } catch (error) {
    if (error instanceof RangeError) return Number.NaN
    throw error
  }
}

function wavSeconds(head: Buffer, size: number) {
  let bytesPerSec = 0
  for (let at = 12; at + 8 <= head.length; ) {
    const [name, length] = [head.toString('latin1', at, at + 4), head.readUInt32LE(at + 4)]
    if (name === 'fmt ') bytesPerSec = wavBytesPerSec(head, at)
    // A stream written without knowing its length says 0, or the maximum.
    if (name === 'data') return Math.min(length || size, size - at - 8) / bytesPerSec
    at += 8 + length + (length % 2)
  }
  return Number.NaN
}

/** From the numbers that decoders use; a compressed format has no bits per sample. */
function wavBytesPerSec(head: Buffer, at: number) {
  const [channels, rate, bits] = [head.readUInt16LE(at + 10), head.readUInt32LE(at + 12), head.readUInt16LE(at + 22)]
  return bits === 0 ? Math.min(head.readUInt32LE(at + 16), MOST_BYTES_PER_SEC.mp3) : (rate * channels * bits) / 8
}

/** The rate has 20 bits, channels 3, bits per sample 5, the number of samples 36. Compressed sound is not larger than plain. */
function flacSeconds(head: Buffer, size: number) {
  const first = head.readUIntBE(18, 3)
  const rate = first >> 4
  const bits = ((first & 1) << 4) + (head.readUInt8(21) >> 4) + 1
  const plain = (rate * (((first >> 1) & 7) + 1) * bits) / 8
  const samples = (head.readUInt8(21) & 0x0f) * 2 ** 32 + head.readUInt32BE(22)
  return Math.max(samples / rate, size / Math.min(plain, MOST_BYTES_PER_SEC.sound))
}

/** The last page contains the number of the last sample. */
function oggSeconds(head: Buffer, tail: Buffer, size: number) {
  const last = tail.lastIndexOf('OggS')
  const samples = Number(tail.readBigUInt64LE(last + 6))
  const vorbis = head.indexOf('\x01vorbis', 0, 'latin1')
  const most = MOST_BYTES_PER_SEC[vorbis === -1 && !head.includes('OpusHead') ? 'sound' : 'ogg']
  return Math.max(samples / (vorbis === -1 ? 48_000 : head.readUInt32LE(vorbis + 12)), size / most)
}

function mp4Seconds(part: Buffer, size: number) {
  const at = part.indexOf('mvhd')
  if (at === -1) return Number.NaN
  const isLong = part.readUInt8(at + 4) === 1
  const scale = part.readUInt32BE(at + (isLong ? 24 : 16))
  const length = isLong ? Number(part.readBigUInt64BE(at + 28)) : part.readUInt32BE(at + 20)
  return Math.max(length / scale, size / MOST_BYTES_PER_SEC[part.includes('vide') ? 'video' : 'sound'])
}

/** Bit rates in kbit/s of MPEG 1 and 2, layer III, by the index in a frame header. */
const BITRATES = {
  one: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  two: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const SAMPLE_RATES = [44_100, 48_000, 32_000]

function mp3Seconds(head: Buffer, size: number) {
  const tagged = head.toString('latin1', 0, 3) === 'ID3'
  const start = tagged ? 10 + [6, 7, 8, 9].reduce((sum, at) => sum * 128 + head.readUInt8(at), 0) : 0
  const bits = head.readUInt32BE(start)
  // Eleven set bits, and layer III.
  if (bits >>> 21 !== 0x7ff || ((bits >>> 17) & 3) !== 1) return Number.NaN
  const isOne = ((bits >>> 19) & 3) === 3
  const rate = (SAMPLE_RATES[(bits >>> 10) & 3] ?? Number.NaN) / (isOne ? 1 : ((bits >>> 19) & 3) === 2 ? 2 : 4)
  const info = head.subarray(start, start + 200)
  const counted = Math.max(info.indexOf('Xing'), info.indexOf('Info'))
  // A variable bit rate has the number of frames before all others.
  if (counted !== -1 && (info.readUInt8(counted + 7) & 1) === 1)
    return Math.max(
      (info.readUInt32BE(counted + 8) * (isOne ? 1152 : 576)) / rate,
      (size - start) / MOST_BYTES_PER_SEC.mp3,
    )
  const kbit = BITRATES[isOne ? 'one' : 'two'][(bits >>> 12) & 15] ?? 0
  return ((size - start) * 8) / (kbit * 1000)
}
