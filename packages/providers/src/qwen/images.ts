import { z } from 'zod'
import { failureOf, VendorError } from '../failure.ts'
import { fieldsOf, listOf, parseVendor, textOf } from '../json.ts'
import { postJson } from '../post-json.ts'
import type { ImagesAdapter } from '../provider.ts'
import type { Access } from '../upstream-request.ts'
import { multimodalUrl, synthesisUrl, taskUrl } from './endpoints.ts'
import { throwFailure } from './errors.ts'

const Task = z.object({
  output: z.object({ task_id: z.string(), task_status: z.string(), message: z.string().optional() }),
})

const authorize = ({ key }: Access) => ({ authorization: `Bearer ${key}` })

/** Qwen-Image and related models answer synchronously, like a chat. */
const answersAtOnce = (model: string) => /^(qwen-image|z-image)/.test(model)

/** Wanx and similar image models create a task, which is polled until the image is ready. */
export const images: ImagesAdapter = {
  // Only models with a chat-like API accept images to edit; the others would ignore them.
  edits: (model) => /^qwen-image-(edit|2)/.test(model),
  encode({ model, prompt, n, size, pictures = [], extra }, access) {
    const parameters = { n, size: starred(size), seed: extra.seed, prompt_extend: extra.prompt_extend }
    if (answersAtOnce(model)) {
      const given = pictures.map(({ mimeType, base64 }) => ({ image: `data:${mimeType};base64,${base64}` }))
      const input = { messages: [{ role: 'user', content: [...given, { text: prompt }] }] }
      return postJson(multimodalUrl(access), authorize(access), { model, input, parameters })
    }
    const headers = { ...authorize(access), 'x-dashscope-async': 'enable' }
    const input = { prompt, negative_prompt: extra.negative_prompt }
    return postJson(synthesisUrl(access), headers, { model, input, parameters })
  },
  task: {
    pauseMs: 1000,
    limitMs: 240_000,
    next(body, access) {
      throwFailure(body)
      const task = Task.safeParse(body).data?.output
      if (task === undefined || task.task_status === 'SUCCEEDED') return undefined
      if (task.task_status !== 'PENDING' && task.task_status !== 'RUNNING')
        throw new VendorError(failureOf('server', task.message ?? `The task ended as ${task.task_status}`))
      return { method: 'GET', url: taskUrl(task.task_id, access), headers: authorize(access) }
    },
    // Only a task that is still queued can be cancelled.
    cancel(body, access) {
      const task = Task.safeParse(body).data?.output
      if (task?.task_status !== 'PENDING') return undefined
      return { method: 'POST', url: `${taskUrl(task.task_id, access)}/cancel`, headers: authorize(access) }
    },
  },
  decode(body) {
    throwFailure(body)
    const { output } = parseVendor(z.object({ output: z.record(z.string(), z.unknown()) }), body)
    const found = [...listOf(output.results).flatMap(ofTask), ...listOf(output.choices).flatMap(ofChoice)]
    if (found.length === 0) throw new VendorError(failureOf('server', 'DashScope returned no image'))
    return { images: found, usage: undefined }
  },
}

/** Values other than sizes, such as `auto`, are left to the model. */
const starred = (size = '') => (/^\d+x\d+$/.test(size) ? size.replace('x', '*') : undefined)

/** Some of several images may have failed; those have a code instead of a URL. */
function ofTask(result: unknown) {
  const { url, actual_prompt } = fieldsOf(result)
  if (typeof url !== 'string') return []
  return [{ url, ...(typeof actual_prompt === 'string' ? { revisedPrompt: actual_prompt } : {}) }]
}

const ofChoice = (choice: unknown) =>
  listOf(fieldsOf(fieldsOf(choice).message).content).flatMap((part) => {
    const url = textOf(fieldsOf(part).image)
    return url === undefined ? [] : [{ url }]
  })
