import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'

/** Compressions of bodies that are understood, of callers as of vendors. */
const CODINGS = new Map<string, () => ReturnType<typeof createGunzip>>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
])

/** What decompresses a body with these headers; undefined when it is not compressed, null when nothing here does. */
export const decompressorOf = (headers: Pick<Headers, 'get'>) => {
  const coding = headers.get('content-encoding')?.trim().toLowerCase()
  if (coding === undefined || coding === '' || coding === 'identity') return undefined
  return CODINGS.get(coding) ?? null
}
