import type { Access, Provider, UpstreamRequest, VideoTasksAdapter } from '@tollgate/providers'
import { GatewayError } from '../common/errors.ts'
import type { VendorAnswer, VendorRequest } from './vendor-request.ts'

/* Translates between OpenAI's video API and that of other vendors; answers are stored in OpenAI's format. */

/** Undefined if the vendor has OpenAI's paths, or no videos. */
export const translatorOf = (provider: Provider | undefined, path: string): VideoTasksAdapter | undefined =>
  path.startsWith('/videos') && provider?.videos === undefined ? provider?.videoTasks : undefined

export const videoRequest = (
  tasks: VideoTasksAdapter,
  { path, video }: VendorRequest,
  access: Access,
): UpstreamRequest => {
  if (video !== undefined) return tasks.create(video, access)
  const id = idIn(path)
  if (id === undefined) throw new GatewayError('relay.batch_channel_gone')
  return tasks.retrieve(id, access)
}

export const videoAnswer = (
  tasks: VideoTasksAdapter,
  { path }: VendorRequest,
  { body }: VendorAnswer,
): VendorAnswer => {
  const { id, status, progress, seconds, error } = tasks.read(body)
  const shown = {
    ...{ id: idIn(path) ?? id, object: 'video', status, progress: progress ?? (status === 'completed' ? 100 : 0) },
    ...(seconds !== undefined && { seconds: String(seconds) }),
    error: error ?? null,
  }
  return { text: JSON.stringify(shown), body: shown }
}

const idIn = (path: string) => /^\/videos\/([\w-]+)$/.exec(path)?.[1]
