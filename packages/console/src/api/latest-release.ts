import { z } from 'zod'

/** Where releases of the product are published. */
const REPOSITORY = import.meta.env?.VITE_RELEASES_REPOSITORY ?? 'tollgate-ai/tollgate'

export const RELEASES_PAGE = `https://github.com/${REPOSITORY}/releases`

const Release = z.object({ tag_name: z.string(), html_url: z.url({ protocol: /^https$/ }), body: z.string().nullish() })

export type Release = z.infer<typeof Release>

/** The newest release, or undefined when there is none yet. Throws when the code host is out of reach. */
export async function latestRelease(): Promise<Release | undefined> {
  const response = await fetch(`https://api.github.com/repos/${REPOSITORY}/releases/latest`, {
    headers: { Accept: 'application/vnd.github+json' },
    signal: AbortSignal.timeout(10_000),
  })
  if (response.status === 404) return undefined
  if (!response.ok) throw new Error(String(response.status))
  return Release.parse(await response.json())
}
