import { type Fields, fieldsOf, isFields, listOf } from '../json.ts'

/** Judgements that name the kinds of offence only. OpenAI's clients ask first whether there is any. */
export const strictModeration = () => (body: Fields) => {
  for (const result of listOf(body.results)) {
    if (isFields(result)) result.flagged ??= Object.values(fieldsOf(result.categories)).includes(true)
  }
}
