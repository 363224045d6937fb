import { z } from 'zod'

/*
 * The kinds of options and how their text is parsed. `schema` turns it into a value for the server and rejects what is invalid; a custom
 * error is a code of the server's error catalogue.
 */

/** Who may read a value: everybody (through the status call and its siblings), administrators, or nobody. */
export type OptionClass = 'public' | 'admin' | 'secret'

/** The settings tab an option belongs to. */
export type OptionTab = 'system' | 'operation' | 'other'

export type OptionKind =
  | 'toggle'
  | 'integer'
  | 'decimal'
  | 'text'
  | 'document'
  | 'link'
  | 'list'
  | 'ratios'
  | 'limits'
  | 'aliases'
  | 'fallbacks'
  | 'choice'

/** Where an option is set, and who may read it. */
export type Placement = readonly [tab: OptionTab, readers: OptionClass]

interface Option<S extends z.ZodType<unknown, string>> {
  kind: OptionKind
  tab: OptionTab
  class: OptionClass
  default: string
  schema: S
}

export const option = <S extends z.ZodType<unknown, string>>(
  kind: OptionKind,
  placement: Placement,
  initial: string,
  schema: S,
): Option<S> => ({ kind, tab: placement[0], class: placement[1], default: initial, schema })

export const toggle = (placement: Placement, initial: boolean) =>
  option(
    'toggle',
    placement,
    String(initial),
    z.enum(['true', 'false'], { error: 'option.toggle' }).transform((text) => text === 'true'),
  )

interface NumberBounds {
  initial: number
  min: number
  max: number
}

/** A message of its own for what is not a number; a number out of bounds gets the bound. */
const notANumber = (code: string) => (issue: { code?: string | undefined }) =>
  issue.code === 'invalid_type' ? code : undefined

const number = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))

const numberWithin = (schema: z.ZodNumber, { min, max }: NumberBounds) =>
  z.string().max(32).transform(number).pipe(schema.min(min).max(max))

export const integer = (placement: Placement, bounds: NumberBounds) => {
  const schema = z.int({ error: notANumber('option.integer') })
  return option('integer', placement, String(bounds.initial), numberWithin(schema, bounds))
}

export const decimal = (placement: Placement, bounds: NumberBounds) => {
  const schema = z.number({ error: notANumber('option.number') })
  return option('decimal', placement, String(bounds.initial), numberWithin(schema, bounds))
}

export const text = (placement: Placement, initial = '', max = 512) =>
  option('text', placement, initial, z.string().max(max))
export const document = (placement: Placement) => option('document', placement, '', z.string().max(200_000))

/** A URL that the browser or the server will open: http or https, or empty. */
export const link = (placement: Placement) =>
  option(
    'link',
    placement,
    '',
    z
      .string()
      .trim()
      .max(2048)
      .refine((value) => value === '' || /^https?:$/.test(protocolOf(value)), { error: 'option.link' }),
  )

/** Like `link`, but a path on this server is allowed too. */
export const picture = (placement: Placement) =>
  option(
    'link',
    placement,
    '',
    z
      .string()
      .trim()
      .max(200_000)
      .refine((value) => /^(|\/[^/\\].*|data:image\/(png|jpeg|gif|webp);.*|https?:\/\/.*)$/s.test(value), {
        error: 'option.picture',
      }),
  )

export const RATIO_MAX = 1_000_000

/** JSON text of names and factors. Parsed into a Map, so that a model called `constructor` is just a name. */
export const ratioTable = z
  .string()
  .max(1_000_000)
  .transform((value, context) => {
    const parsed = parseRatios(value)
    if (parsed !== undefined) return parsed
    context.addIssue({ code: 'custom', message: 'option.ratios' })
    return z.NEVER
  })

export const ratios = (initial: Record<string, number>) =>
  option('ratios', ['operation', 'admin'], JSON.stringify(initial), ratioTable)

function protocolOf(value: string) {
  return URL.canParse(value) ? new URL(value).protocol : ''
}

function parseRatios(value: string): Map<string, number> | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(value.trim() === '' ? '{}' : value)
  } catch {
    return undefined
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined
  const entries = Object.entries(parsed)
  const sound = entries.every(
    ([name, ratio]) => name !== '' && name.length <= 256 && Number.isFinite(ratio) && ratio >= 0 && ratio <= RATIO_MAX,
  )
  return sound ? new Map(entries) : undefined
}
