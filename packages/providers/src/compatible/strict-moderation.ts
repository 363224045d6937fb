import { type Fields, fieldsOf, isFields, listOf } from '../json.ts'

/** Adds `flagged` to results that contain only categories: OpenAI's clients read it first. */
export const strictModeration = () => (body: Fields) => {
  for (const result of listOf(body.results)) {
    if (isFields(result)) result.flagged ??= Object.values(fieldsOf(result.categories)).includes(true)
  }
}
