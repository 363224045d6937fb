import { z } from 'zod'
import { parseVendor } from '../json.ts'
import { postJson } from '../post-json.ts'
import type { EmbeddingsAdapter } from '../provider.ts'
import type { Access } from '../upstream-request.ts'
import { NO_USAGE } from '../usage.ts'
import { modelUrl } from './url.ts'

const Predictions = z.looseObject({
  predictions: z.array(
    z.looseObject({
      embeddings: z.looseObject({
        values: z.array(z.number()),
        statistics: z.looseObject({ token_count: z.number().int().nonnegative() }).optional(),
      }),
    }),
  ),
})

/** Vertex uses `predict` for embeddings, and reports the tokens of each text. */
export const vertexEmbeddings = (headers: (access: Access) => Record<string, string>): EmbeddingsAdapter => ({
  encode: ({ model, input, dimensions }, access) =>
    postJson(modelUrl(access, { model, action: 'predict' }), headers(access), {
      instances: input.map((content) => ({ content })),
      ...(dimensions === undefined ? {} : { parameters: { outputDimensionality: dimensions } }),
    }),
  decode(body) {
    const rows = parseVendor(Predictions, body).predictions.map(({ embeddings }) => embeddings)
    const counts = rows.flatMap(({ statistics }) => statistics?.token_count ?? [])
    return {
      vectors: rows.map(({ values }) => values),
      usage:
        counts.length < rows.length ? undefined : { ...NO_USAGE, input: counts.reduce((sum, count) => sum + count, 0) },
    }
  },
})
