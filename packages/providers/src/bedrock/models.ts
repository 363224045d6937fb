import { z } from 'zod'
import { parseVendor } from '../json.ts'
import type { Provider } from '../provider.ts'
import { credentialsOf, signed } from './sign.ts'

const Listed = z.object({
  modelSummaries: z.array(z.object({ modelId: z.string(), inferenceTypesSupported: z.array(z.string()).default([]) })),
})

/** Models that are invoked by their own id; those that want a profile of several regions have ids of that profile. */
export const models: NonNullable<Provider['models']> = {
  request(access, nowMs) {
    const credentials = credentialsOf(access)
    const own = access.baseUrl.replace('//bedrock-runtime.', '//bedrock.')
    const root = own || `https://bedrock.${credentials.region}.amazonaws.com`
    return signed({ method: 'GET', url: `${root}/foundation-models`, nowMs }, credentials)
  },
  read: (body) =>
    parseVendor(Listed, body).modelSummaries.flatMap(({ modelId, inferenceTypesSupported: ways }) =>
      ways.includes('ON_DEMAND') ? [modelId] : [],
    ),
}
