import { explainOpenAi } from '../openai/explain.ts'
import type { Provider } from '../provider.ts'
import type { Access } from '../upstream-request.ts'

/** Its documents name the address with and without the path that everything is under. */
const rootOf = ({ baseUrl }: Access) => baseUrl.replace(/\/mj\/?$/, '')

/** A midjourney-proxy server (not offered by Midjourney itself): tasks are submitted and polled. */
export const midjourney: Provider = {
  name: 'midjourney',
  midjourney: {
    url: (path, access) => rootOf(access) + path,
    headers: ({ key }) => ({ 'mj-api-secret': key }),
  },
  explain: explainOpenAi,
}
