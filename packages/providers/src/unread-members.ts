import type { z } from 'zod'
import { isFields } from './json.ts'
import { isPresent } from './members.ts'
import { Other } from './other-kind.ts'

/*
 * Members that a caller wrote inside messages, tools or settings and that no part of the parser reads. They are found by comparing
 * the parsed body with its schema, which keeps what it does not know, so that a member of a library's next version is named in the
 * log as well.
 */

interface Search {
  /** Objects whose unknown members are read elsewhere, by their path. */
  open: ReadonlySet<string>
  /** Members of earlier answers that clients return and that mean nothing to a model, by their name. */
  echoes: ReadonlySet<string>
  found: Set<string>
}

type Visit = (value: unknown, path: string, search: Search) => void

/**
 * The paths of unread members without positions, each once, as `tools.defer_loading`; of entries that were left out with their
 * type, as `messages.content.compaction`. Undefined if there are none.
 */
export function unreadMembers(
  schema: z.ZodType,
  parsed: unknown,
  { open = [], echoes = [] }: { open?: readonly string[]; echoes?: readonly string[] } = {},
): string[] | undefined {
  const search = { open: new Set(['', ...open]), echoes: new Set(echoes), found: new Set<string>() }
  visitOf(schema)?.(parsed, '', search)
  return search.found.size === 0 ? undefined : [...search.found]
}

/** Undefined for schemas without objects inside. */
const visits = new WeakMap<z.core.$ZodType, { visit: Visit | undefined }>()

function visitOf(schema: z.core.$ZodType): Visit | undefined {
  const known = visits.get(schema)
  if (known !== undefined) return known.visit
  const visit = toVisit(schema)
  visits.set(schema, { visit })
  return visit
}

function toVisit(schema: z.core.$ZodType): Visit | undefined {
  // Every schema is one of these kinds: this is how zod types its own.
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      return schema === Other ? visitOther : visitObject(def.shape)
    case 'array':
      return visitArray(def.element)
    case 'union':
      return visitUnion(def)
    case 'optional':
    case 'nullable':
    case 'default':
      return visitOf(def.innerType)
    case 'pipe':
      // What was preprocessed has the form of what follows, and what is transformed afterwards that of what came before.
      return visitOf(def.in._zod.def.type === 'transform' ? def.out : def.in)
    default:
      return undefined
  }
}

function visitObject(shape: z.core.$ZodLooseShape): Visit {
  const members = new Map(Object.entries(shape).map(([name, own]) => [name, visitOf(own)]))
  return (value, path, search) => {
    if (!isFields(value)) return
    for (const name of Object.keys(value)) {
      const inner = path === '' ? name : `${path}.${name}`
      if (members.has(name)) members.get(name)?.(value[name], inner, search)
      else if (!search.open.has(path) && !search.echoes.has(name) && isPresent(value[name])) search.found.add(inner)
    }
  }
}

/** Tools are named among the dropped tools. */
const visitOther: Visit = (value, path, { found }) => {
  if (isFields(value) && !/(^|\.)tools$/.test(path)) found.add(`${path}.${String(value.kind)}`)
}

function visitArray(element: z.core.$ZodType): Visit | undefined {
  const visit = visitOf(element)
  if (visit === undefined) return undefined
  return (value, path, search) => {
    if (Array.isArray(value)) for (const one of value) visit(one, path, search)
  }
}

/** The option that a value was parsed with: by its discriminator, or the only list or object among others. */
function visitUnion(def: z.core.$ZodUnionDef & { discriminator?: string }): Visit | undefined {
  const { discriminator, options } = def
  if (discriminator !== undefined) {
    const byKind = new Map(
      options.flatMap((option) => kindsOf(option, discriminator).map((kind) => [kind, visitOf(option)])),
    )
    return (value, path, search) => {
      if (isFields(value)) byKind.get(value[discriminator])?.(value, path, search)
    }
  }
  const lists = options.filter((option) => option._zod.def.type === 'array')
  const objects = options.filter((option) => option._zod.def.type === 'object')
  const [list, object] = [lists, objects].map(([only, ...more]) =>
    only && more.length === 0 ? visitOf(only) : undefined,
  )
  return (value, path, search) => (Array.isArray(value) ? list : object)?.(value, path, search)
}

const kindsOf = (option: z.core.$ZodType, discriminator: string): unknown[] => [
  ...(option._zod.propValues?.[discriminator] ?? []),
]
