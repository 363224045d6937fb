/** Texts are what every object inherits: a table that is read by one must not find it. */
const REPLACEMENTS = ['constructor', '__proto__', 'toString', null, 0, -1, 1.5, true, [], {}, [null], ['text']]

/** A JSON value with one of its members, at any depth, replaced by a value of every kind, or left out. */
export function* mutationsOf(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return
  const isList = Array.isArray(value)
  for (const [name, member] of Object.entries(value)) {
    const others = Object.entries(value).filter(([other]) => other !== name)
    const withMember = (changed: unknown) =>
      isList ? value.with(Number(name), changed) : Object.fromEntries([...others, [name, changed]])
    yield isList ? value.toSpliced(Number(name), 1) : Object.fromEntries(others)
    for (const replacement of REPLACEMENTS) yield withMember(replacement)
    for (const inner of mutationsOf(member)) yield withMember(inner)
  }
}
