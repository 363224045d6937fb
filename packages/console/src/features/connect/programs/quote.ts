/*
 * A value as a literal of each language. Model names and addresses are user input: nothing in them may end the literal. Every value is
 * quoted, even if unnecessary, so that a masked key looks like the real one.
 */

/** For sh, bash and zsh: nothing is special between single quotes. */
export const sh = (value: string) => `'${value.replaceAll("'", `'\\''`)}'`

/** PowerShell treats typographic single quotes like plain ones; doubled, each is literal. */
export const powershell = (value: string) => `'${value.replace(/['‘’‚‛]/g, '$&$&')}'`

/** JSON, which is also a valid JavaScript and Python literal. */
export const json = (value: string) => JSON.stringify(value)

/** TOML requires one more escaped control character than JSON. */
export const toml = (value: string) => json(value.toWellFormed()).replaceAll('\u007f', '\\u007f')

/** Go allows no byte order mark inside a source. */
export const go = (value: string) => json(value.toWellFormed()).replaceAll('\ufeff', '\\ufeff')

/** A file of settings. */
export const jsonFile = (value: object) => JSON.stringify(value, null, 2)
