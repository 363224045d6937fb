import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'

/** A recording of silence: 16 bits, one channel. */
export const wavOf = ({ seconds, rate }: { seconds: number; rate: number }) => {
  const size = seconds * rate * 2
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + size, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(size, 40)
  return Buffer.concat([head, Buffer.alloc(size)])
}

/** The size of a compressed page of print. */
const PAGE_BYTES = 3000

/** A document with this many pages; `packed` puts the page list into an object stream, as most programs do today. */
export const pdfOf = ({ pages, packed }: { pages: number; packed: boolean }) => {
  const kids = Array.from({ length: pages }, (_, at) => `${at + 3} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
    ...Array.from({ length: pages }, (_, at) => `<< /Type /Page /Parent 2 0 R /Contents ${at + 3 + pages} 0 R >>`),
  ]
  const contents = Array.from({ length: pages }, (_, at) => streamOf(at + 3 + pages, '', randomBytes(PAGE_BYTES)))
  const listed = packed
    ? [packedObjects(pages * 2 + 3, objects)]
    : objects.map((object, at) => Buffer.from(`${at + 1} 0 obj\n${object}\nendobj\n`))
  return Buffer.concat([Buffer.from('%PDF-1.7\n'), ...listed, ...contents, Buffer.from('%%EOF\n')])
}

function packedObjects(id: number, objects: readonly string[]) {
  let at = 0
  const places: string[] = []
  for (const [index, object] of objects.entries()) {
    places.push(`${index + 1} ${at}`)
    at += object.length + 1
  }
  const head = `${places.join(' ')}\n`
  const bytes = deflateSync(`${head}${objects.join('\n')}`)
  return streamOf(id, `/Type /ObjStm /N ${objects.length} /First ${head.length} /Filter /FlateDecode `, bytes)
}

const streamOf = (id: number, about: string, bytes: Buffer) =>
  Buffer.concat([
    Buffer.from(`${id} 0 obj\n<< ${about}/Length ${bytes.length} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream\nendobj\n'),
  ])
