/** A text from outside for the log: not endless, and without what PostgreSQL cannot store. */
export const storableText = (text: string, max: number) => text.slice(0, max).replaceAll('\u0000', '').toWellFormed()
