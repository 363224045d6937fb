/*
 * Models sign their reasoning and expect the signature back; another vendor's signature is an error to them. The internal
 * format marks each with its family, so that a conversation can move between vendors. A mark has 16 characters of the base64
 * alphabet: marked signatures stay valid base64 for clients that decode them.
 */

const MARKS = {
  claude: 'tollgate/claude/',
  gemini: 'tollgate/gemini/',
  openai: 'tollgate/openai/',
  xai: 'tollgate/xai+++/',
} as const

export type Signer = keyof typeof MARKS

const mark = (signer: Signer) => MARKS[signer]

/** Signed by another vendor than the one that defined the dialect. */
export const isMarked = (signature: unknown) => typeof signature === 'string' && signature.startsWith('tollgate/')

/** From a vendor, or from a client of its dialect, which may return another vendor's signature. */
export const signedBy = (signer: Signer, signature: string) =>
  isMarked(signature) ? signature : mark(signer) + signature

/** For the vendor: its own signature unmarked, undefined when another vendor signed. */
export const signatureFor = (signer: Signer, signature: string | undefined) =>
  signature?.startsWith(mark(signer)) ? signature.slice(mark(signer).length) : undefined

/** For a client of the vendor's dialect: its own signatures unmarked, others with their mark. */
export const signatureOut = (signer: Signer, signature: string) => signatureFor(signer, signature) ?? signature

/*
 * Redacted reasoning is data without text. Dialects without a field for it carry it in place of a signature, with a mark of
 * its own.
 */

const CLOSED = 'tollgate/closed/'

export const redactedOut = (redacted: string) => CLOSED + redacted

export const redactedIn = (signature: string | undefined) =>
  signature?.startsWith(CLOSED) ? signature.slice(CLOSED.length) : undefined
