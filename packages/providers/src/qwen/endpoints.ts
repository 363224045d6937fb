import type { ChatRequest } from '../chat.ts'
import { imagesOf } from '../content.ts'
import type { Access } from '../upstream-request.ts'
import { pathSegment } from '../url-parts.ts'

const SERVICES = '/api/v1/services'
const TEXT = `${SERVICES}/aigc/text-generation/generation`
const MULTIMODAL = `${SERVICES}/aigc/multimodal-generation/generation`

/** Models that only the multimodal endpoint serves, even for plain text; the other one answers "url error". */
const MULTIMODAL_MODELS = /(^|[-/])(vl|omni|audio|ocr|asr|qvq|gui)([-.]|$)|^qwen(3\.[5-9]|[4-9])/i

export const isMultimodal = ({ model, messages }: ChatRequest) =>
  MULTIMODAL_MODELS.test(model) || messages.some(({ content }) => imagesOf(content).length > 0 || hasAudio(content))

export const chatUrl = (request: ChatRequest, { baseUrl }: Access) =>
  baseUrl + (isMultimodal(request) ? MULTIMODAL : TEXT)

export const embeddingsUrl = ({ baseUrl }: Access) => `${baseUrl}${SERVICES}/embeddings/text-embedding/text-embedding`

export const multimodalUrl = ({ baseUrl }: Access) => baseUrl + MULTIMODAL

export const synthesisUrl = ({ baseUrl }: Access) => `${baseUrl}${SERVICES}/aigc/text2image/image-synthesis`

export const taskUrl = (taskId: string, { baseUrl }: Access) => `${baseUrl}/api/v1/tasks/${pathSegment(taskId)}`

export const rerankUrl = ({ baseUrl }: Access) => `${baseUrl}${SERVICES}/rerank/text-rerank/text-rerank`

const hasAudio = (content: ChatRequest['messages'][number]['content']) => content.some(({ type }) => type === 'audio')
