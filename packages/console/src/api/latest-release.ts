import { z } from 'zod'

const Release = z.object({ tag_name: z.string(), html_url: z.url({ protocol: /^https$/ }), body: z.string().nullish() })

export type Release = z.infer<typeof Release>

export const releasesPage = (repository: string) => `https://github.com/${repository}/releases`

/** The newest release, or undefined when there is none yet. Throws when the code host is unreachable. */
export async function latestRelease(repository: string): Promise<Release | undefined> {
  const response = await fetch(`https://api.github.com/repos/${repository}/releases/latest`, {
    headers: { Accept: 'application/vnd.github+json' },
    signal: AbortSignal.timeout(10_000),
  })
  if (response.status === 404) return undefined
  if (!response.ok) throw new Error(String(response.status))
  return Release.parse(await response.json())
}
