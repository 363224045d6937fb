import { z } from 'zod'
import { sizeOf } from '../image-shape.ts'
import { parseVendor } from '../json.ts'
import { postJson } from '../post-json.ts'
import type { ImagesAdapter } from '../provider.ts'
import { refusal } from '../unsupported.ts'
import { pathSegments } from '../url-parts.ts'
import { headers, runRoot } from './account.ts'

const ImageAnswer = z.object({ result: z.object({ image: z.string() }) })

/** One image per call, for models that answer in JSON (Flux and later); older ones answer with raw bytes. */
export const images: ImagesAdapter = {
  encode({ model, prompt, n, size, extra }, access) {
    if (n !== 1) throw refusal('Cloudflare', 'n')
    return postJson(`${runRoot(access)}/${pathSegments(model)}`, headers(access), {
      prompt,
      ...sizeOf(size),
      seed: extra.seed,
      steps: extra.steps,
    })
  },
  decode: (body) => ({ images: [{ b64: parseVendor(ImageAnswer, body).result.image }], usage: undefined }),
}
