import type { Fields } from '@tollgate/providers'
import { GatewayError } from '../common/errors.ts'
import { storableText } from '../common/storable-text.ts'
import type { FileRow } from './files-repository.ts'

/** A file of Google's clients, as it is stored in the `plan` of its row. */
export interface GoogleFile {
  mimeType: string
  /** Until the upload has ended: where it continues at the vendor, and what proves that somebody may continue it. */
  upload?: { url: string; secret: string }
  /** Afterwards: the file as the vendor describes it. */
  file?: Fields
}

export const googleFileOf = ({ plan }: Pick<FileRow, 'plan'>): GoogleFile => JSON.parse(plan)

/** The name under which it is uploaded, so that nothing has to be translated in the calls that refer to it. */
export const nameOf = (id: string) => `files/${id}`

export const unknownFile = (id: string) => new GatewayError('relay.file_unknown', { id: nameOf(storableText(id, 200)) })
