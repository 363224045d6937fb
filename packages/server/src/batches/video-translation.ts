import type { Access, Provider, UpstreamRequest, VideoTasksAdapter } from '@tollgate/providers'
import { GatewayError } from '../common/errors.ts'
import type { Told, VendorAsked } from './vendor-asked.ts'

/* Vendors with an API of their own for videos are asked in it, and what they say is kept in OpenAI's words. */

/** Undefined where the vendor has OpenAI's paths, or no videos. */
export const translatorOf = (provider: Provider | undefined, path: string): VideoTasksAdapter | undefined =>
  path.startsWith('/videos') && provider?.videos === undefined ? provider?.videoTasks : undefined

export const videoRequest = (
  tasks: VideoTasksAdapter,
  { path, video }: VendorAsked,
  access: Access,
): UpstreamRequest => {
  if (video !== undefined) return tasks.create(video, access)
  const id = idIn(path)
  if (id === undefined) throw new GatewayError('relay.batch_channel_gone')
  return tasks.retrieve(id, access)
}

export const toldOfVideo = (tasks: VideoTasksAdapter, { path }: VendorAsked, { body }: Told): Told => {
  const { id, status, progress, seconds, error } = tasks.read(body)
  const shown = {
    ...{ id: idIn(path) ?? id, object: 'video', status, progress: progress ?? (status === 'completed' ? 100 : 0) },
    ...(seconds !== undefined && { seconds: String(seconds) }),
    error: error ?? null,
  }
  return { text: JSON.stringify(shown), body: shown }
}

const idIn = (path: string) => /^\/videos\/([\w-]+)$/.exec(path)?.[1]
