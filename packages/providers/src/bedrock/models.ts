import { z } from 'zod'
import { parseVendor } from '../json.ts'
import type { Provider } from '../provider.ts'
import type { Access } from '../upstream-request.ts'
import { regionInHost } from '../url-parts.ts'
import { credentialsOf, signed } from './sign.ts'

const Listed = z.object({
  modelSummaries: z.array(z.object({ modelId: z.string(), inferenceTypesSupported: z.array(z.string()).default([]) })),
})
const Profiles = z.object({ inferenceProfileSummaries: z.array(z.object({ inferenceProfileId: z.string() })) })

/** Models that can be invoked by their id, and cross-region profiles for the others. */
export const models: NonNullable<Provider['models']> = {
  request: (access, nowMs) => listOf('/foundation-models', access, nowMs),
  more: (access, nowMs) => listOf('/inference-profiles?maxResults=1000', access, nowMs),
  read: (body, more) => [
    ...parseVendor(Listed, body).modelSummaries.flatMap(({ modelId, inferenceTypesSupported: types }) =>
      types.includes('ON_DEMAND') ? [modelId] : [],
    ),
    ...parseVendor(Profiles, more).inferenceProfileSummaries.map(({ inferenceProfileId }) => inferenceProfileId),
  ],
}

function listOf(path: string, access: Access, nowMs: number) {
  const credentials = credentialsOf(access)
  const own = access.baseUrl.replace('//bedrock-runtime.', '//bedrock.')
  const root = own || `https://bedrock.${regionInHost(credentials.region)}.amazonaws.com`
  return signed({ method: 'GET', url: root + path, nowMs }, credentials)
}
