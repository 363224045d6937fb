import { z } from 'zod'
import { defined, parseVendor } from '../json.ts'
import { postJson } from '../post-json.ts'
import type { EmbeddingsAdapter } from '../provider.ts'
import type { Access } from '../upstream-request.ts'
import { readGeminiUsage } from './usage.ts'

const Vectors = z.looseObject({ embeddings: z.array(z.looseObject({ values: z.array(z.number()) })) })

/** Many texts in one call. Google reports no usage for it, so the server counts. */
export const geminiEmbeddings = (
  url: (operation: string, access: Access, model: string) => string,
  headers: (access: Access) => Record<string, string>,
): EmbeddingsAdapter => ({
  encode: ({ model, input, dimensions }, access) =>
    postJson(url('batchEmbedContents', access, model), headers(access), {
      requests: input.map((text) =>
        defined({
          model: `models/${model.replace(/^models\//, '')}`,
          content: { parts: [{ text }] },
          outputDimensionality: dimensions,
        }),
      ),
    }),
  decode: (body) => ({
    vectors: parseVendor(Vectors, body).embeddings.map(({ values }) => values),
    usage: readGeminiUsage(body),
  }),
})
