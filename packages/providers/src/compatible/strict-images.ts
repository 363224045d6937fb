import type { Fields } from '../json.ts'

/** Renames the images of vendors that do not use OpenAI's member. */
export const strictImages = () => (body: Fields) => {
  body.data ??= body.images
}
