import { expect, test } from 'bun:test'
import { audioSeconds, audioSecondsPacked } from './audio-length.ts'

const uint32 = (value: number, order: 'LE' | 'BE' = 'LE') => {
  const bytes = Buffer.alloc(4)
  bytes[`writeUInt32${order}`](value)
  return bytes
}

/** `dataLength` and `byteRate` are what the header claims. */
function wav(seconds: number, dataLength = seconds * 32_000, byteRate = 32_000) {
  const format = Buffer.concat([
    Buffer.from([1, 0, 1, 0]),
    uint32(16_000),
    uint32(byteRate),
    Buffer.from([2, 0, 16, 0]),
  ])
  const list = Buffer.concat([Buffer.from('LIST'), uint32(3), Buffer.from('abc\0')])
  const head = Buffer.concat([Buffer.from('RIFF'), uint32(0), Buffer.from('WAVEfmt '), uint32(16), format, list])
  return [head, Buffer.from('data'), uint32(dataLength), Buffer.alloc(seconds * 32_000)]
}

/** One channel of 16 bits. */
const flac = (seconds: number, size = 100_000) => {
  const info = Buffer.alloc(34)
  info.writeUIntBE(44_100 << 4, 10, 3)
  info.writeUInt8(15 << 4, 13)
  info.writeUInt32BE(seconds * 44_100, 14)
  return [Buffer.from('fLaC'), Buffer.from([0, 0, 0, 34]), info, Buffer.alloc(size)]
}

const oggPage = (samples: number, body: string) => {
  const position = Buffer.alloc(8)
  position.writeBigUInt64LE(BigInt(samples))
  return Buffer.concat([Buffer.from('OggS\0\0'), position, Buffer.alloc(14), Buffer.from(body, 'latin1')])
}
const opus = (seconds: number, size = 200_000) => [
  oggPage(0, 'OpusHead'),
  Buffer.alloc(size),
  oggPage(seconds * 48_000, 'end'),
]
const vorbis = (seconds: number, size = 200_000) => [
  oggPage(0, '\x01vorbis\0\0\0\0\x01'),
  uint32(22_050),
  Buffer.alloc(size),
  oggPage(seconds * 22_050, 'end'),
]

const mp4 = (seconds: number, size = 300_000) => [
  Buffer.concat([uint32(16, 'BE'), Buffer.from('ftypM4A \0\0\0\0')]),
  Buffer.alloc(size),
  Buffer.concat([
    Buffer.from('moov\0\0\0lmvhd\0\0\0\0'),
    Buffer.alloc(8),
    uint32(1000, 'BE'),
    uint32(seconds * 1000, 'BE'),
  ]),
]

const FRAME = Buffer.from([0xff, 0xfb, 0x50, 0xc0]) // MPEG 1, layer III, 64 kbit, 44.1 kHz
const mp3 = (seconds: number) => [FRAME, Buffer.alloc(seconds * 8000 - 4)]
const taggedMp3 = (seconds: number) => [
  Buffer.from('ID3\x04\0\0\0\0\x02\x00', 'latin1'),
  Buffer.alloc(256),
  ...mp3(seconds),
]
const variableMp3 = (seconds: number, size = 300_000) => {
  const frames = Math.round((seconds * 44_100) / 1152)
  const info = Buffer.concat([Buffer.alloc(32), Buffer.from('Xing\0\0\0\x01'), uint32(frames, 'BE')])
  return [FRAME, info, Buffer.alloc(size)]
}

test.each([
  ['WAV', wav(10)],
  ['WAV without a length', wav(10, 0)],
  ['WAV of a stream', wav(10, 0xffff_ffff)],
  ['FLAC', flac(10)],
  ['Opus', opus(10)],
  ['Vorbis', vorbis(10)],
  ['M4A', mp4(10)],
  ['MP3', mp3(10)],
  ['MP3 with a tag', taggedMp3(10)],
  ['MP3 of a variable bit rate', variableMp3(10)],
])('ten seconds of %s are ten seconds', async (_, parts) => {
  expect(await audioSeconds(new Blob(parts))).toBeCloseTo(10, 1)
})

/** 20 MB that claim to be a tenth of a second. */
const [CLAIMED, SIZE] = [0.1, 20_000_000]

test.each([
  ['WAV', wav(SIZE / 32_000, SIZE, 0xffff_ffff)],
  ['FLAC', flac(CLAIMED, SIZE)],
  ['Opus', opus(CLAIMED, SIZE)],
  ['Vorbis', vorbis(CLAIMED, SIZE)],
  ['M4A', mp4(CLAIMED, SIZE)],
  ['MP3', variableMp3(CLAIMED, SIZE)],
])('%s is never shorter than its bytes allow, whatever its header claims', async (_, parts) => {
  const file = new Blob(parts)
  expect(await audioSeconds(file)).toBeGreaterThanOrEqual(100)
  expect(audioSecondsPacked(Buffer.from(await file.bytes()).toString('base64'))).toBeGreaterThanOrEqual(100)
})

test('a file without a known length is estimated as typical for its format', async () => {
  expect(await audioSeconds(new Blob([Buffer.alloc(160_000)]))).toBe(10)
  expect(await audioSeconds(new Blob([Buffer.from('\x1a\x45\xdf\xa3', 'latin1'), Buffer.alloc(39_996)]))).toBe(10)
})

test('every file that is truncated anywhere in its header still has some length', async () => {
  for (const parts of [wav(1), flac(1), opus(1), mp4(1), mp3(1), taggedMp3(1), variableMp3(1)]) {
    const whole = Buffer.concat(parts)
    for (let end = 1; end < 80; end++) {
      const seconds = await audioSeconds(new Blob([whole.subarray(0, end)]))
      expect(seconds > 0 && Number.isFinite(seconds)).toBe(true)
    }
  }
})
