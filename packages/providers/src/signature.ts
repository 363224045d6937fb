/*
 * Models sign their reasoning and want the signature back; a signature of another vendor is an error to them. In the
 * gateway's tongue each is marked with its family, so that a conversation may move from one vendor to another. A mark
 * has 16 characters of the base64 alphabet: marked signatures stay valid base64 for clients that decode them.
 */

const MARKS = {
  claude: 'tollgate/claude/',
  gemini: 'tollgate/gemini/',
  openai: 'tollgate/openai/',
  xai: 'tollgate/xai+++/',
} as const

export type Signer = keyof typeof MARKS

const mark = (signer: Signer) => MARKS[signer]

/** Signed by another vendor than the dialect's own. */
export const isMarked = (signature: unknown) => typeof signature === 'string' && signature.startsWith('tollgate/')

/** From a vendor, or from a client that speaks the vendor's dialect and may return what another vendor signed. */
export const signedBy = (signer: Signer, signature: string) =>
  isMarked(signature) ? signature : mark(signer) + signature

/** To the vendor: its own signature as it made it, undefined when another one signed. */
export const signatureFor = (signer: Signer, signature: string | undefined) =>
  signature?.startsWith(mark(signer)) ? signature.slice(mark(signer).length) : undefined

/** To a client that speaks the vendor's dialect: its own signatures as they were made, others with their mark. */
export const signatureOut = (signer: Signer, signature: string) => signatureFor(signer, signature) ?? signature

/*
 * Reasoning that its vendor closed is data without a text. Dialects that have no place of its own for it carry it where
 * they carry signatures, under a mark like theirs.
 */

const CLOSED = 'tollgate/closed/'

export const closedOut = (redacted: string) => CLOSED + redacted

export const closedIn = (signature: string | undefined) =>
  signature?.startsWith(CLOSED) ? signature.slice(CLOSED.length) : undefined
