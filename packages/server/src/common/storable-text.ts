/** Truncates an external text for the log, and removes what PostgreSQL cannot store. */
export const storableText = (text: string, max: number) => text.slice(0, max).replaceAll('\u0000', '').toWellFormed()
