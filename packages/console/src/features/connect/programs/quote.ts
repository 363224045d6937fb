/*
 * A value as a literal of each language. Names of models and addresses are what people typed: nothing in them may end the
 * literal. Every value is quoted, also where it need not be, so that a masked key looks like the real one.
 */

/** For sh, bash and zsh: nothing has a meaning between single quotes. */
export const sh = (value: string) => `'${value.replaceAll("'", `'\\''`)}'`

/** PowerShell takes typographic single quotes for plain ones; doubled, each stands for itself. */
export const powershell = (value: string) => `'${value.replace(/['‘’‚‛]/g, '$&$&')}'`

/** JSON, and with it JavaScript and Python, which read its strings as their own. */
export const json = (value: string) => JSON.stringify(value)

/** TOML wants the one control character escaped that JSON leaves alone. */
export const toml = (value: string) => json(value.toWellFormed()).replaceAll('\u007f', '\\u007f')

/** Go takes no byte order mark inside of a source. */
export const go = (value: string) => json(value.toWellFormed()).replaceAll('\ufeff', '\\ufeff')

/** A file of settings. */
export const jsonFile = (value: object) => JSON.stringify(value, null, 2)
