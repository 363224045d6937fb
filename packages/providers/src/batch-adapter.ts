import type { Access } from './upstream-request.ts'

/** How a vendor takes batches. */
export interface BatchAdapter {
  /** OpenAI's takes a file and returns files; Anthropic's and Google's take the requests themselves. */
  dialect: 'openai' | 'anthropic' | 'google'
  price: BatchPrice
  /** `/files`, `/batches/batch_1/cancel`. */
  url(path: string, access: Access): string
  headers(access: Access): Record<string, string>
  /** Absent if files and batches are OpenAI's in every respect. */
  form?: BatchForm
}

export interface BatchPrice {
  /** Factor of the usual token price. */
  times: number
  /** The only models at that price; absent means all. */
  models?: readonly string[]
}

/** A request of a batch file, as OpenAI writes it. */
export interface BatchFileLine {
  custom_id: string
  method: 'POST'
  url: string
  body: Record<string, unknown>
}

/** The request that creates a batch, as OpenAI writes it. */
export interface BatchCreation {
  input_file_id: string
  endpoint: string
  completion_window: string
  metadata?: Record<string, string> | null | undefined
  output_expires_after?: Record<string, unknown> | null | undefined
}

/** How files and batches of a vendor differ from OpenAI's. */
export interface BatchForm {
  /** The only paths that lines may have; absent means all of OpenAI's. */
  endpoints?: readonly string[]
  /** All lines of a file must be for the same model. */
  oneModel?: true
  /** The vendor's path for `/files` (an upload) or `/batches/batch_1`. */
  path?(path: string): string
  /** The form fields beside the file. */
  upload?(filename: string): Record<string, string>
  /** The id in the answer to an upload, if it is not where OpenAI has it. */
  fileId?(answer: Record<string, unknown>): unknown
  line?(line: BatchFileLine): object
  /** A member of the creation that the vendor does not have, or not with this value. */
  refused?(batch: BatchCreation): keyof BatchCreation | undefined
  /** `model` is the vendor's name of the only model, or of the first. */
  create?(batch: BatchCreation, model: string): object
  /** A batch in OpenAI's format. */
  read?(batch: Record<string, unknown>): Record<string, unknown>
  results?: PagedResults
}

/** Results that are read page by page. The files are those that `read` names. */
export interface PagedResults {
  path(file: string, token: string | undefined): string
  /** The lines of a page as OpenAI writes them; without `next` it is the last. */
  read(page: Record<string, unknown>, file: string): { lines: object[]; next?: string }
}
