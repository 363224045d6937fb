/** One error: its HTTP status, its text in both languages, and the form field it is about, by its wire name. */
export interface Entry {
  status: number
  zh: string
  en: string
  field?: string
}

export const at = (status: number, zh: string, en: string): Entry => ({ status, zh, en })

/**
 * An error inside a 200 answer with `success: false`, as existing clients of the management API expect it. Only an invalid
 * request or session, or a server error, has a status of its own.
 */
export const no = (zh: string, en: string): Entry => at(200, zh, en)

/** The same, shown at a field of the form. */
export const about = (field: string, zh: string, en: string): Entry => ({ ...no(zh, en), field })
