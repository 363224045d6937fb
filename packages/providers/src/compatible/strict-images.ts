import type { Fields } from '../json.ts'

/** Pictures under another name than OpenAI's, which its clients look for. */
export const strictImages = () => (body: Fields) => {
  body.data ??= body.images
}
