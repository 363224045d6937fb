import { type Fields, fieldsOf } from './json.ts'

/** The schema of a tool's arguments. Vendors require the type that callers leave out of a tool without any. */
export const toolParameters = (schema: unknown): Fields => {
  const own = fieldsOf(schema)
  return 'type' in own ? own : { type: 'object', properties: {}, ...own }
}
