import type { BatchRow } from './batches-repository.ts'
import type { HeldPlan } from './plan.ts'

export const VIDEO_LOST = { code: 'video_lost', message: 'The outcome of the video is unknown. It costs nothing.' }

/** A video as its caller sees it: the request, overlaid with the vendor's answer, with our ids. */
export const shownVideo = ({ id, plan, body, status, settled_at, created_at }: BatchRow) => {
  const { models, video }: HeldPlan = JSON.parse(plan)
  const isLost = status === 'failed' && body === ''
  const answer: object = body === '' ? {} : JSON.parse(body)
  return {
    ...{ object: 'video', created_at, status: isLost ? 'failed' : 'queued', progress: 0, model: models[0]?.model },
    ...{ prompt: video?.prompt ?? null, seconds: String(video?.seconds ?? ''), size: video?.size },
    ...{ completed_at: settled_at, expires_at: null, error: isLost ? VIDEO_LOST : null },
    ...answer,
    ...{ id, remixed_from_video_id: video?.remixedFrom ?? null },
  }
}
