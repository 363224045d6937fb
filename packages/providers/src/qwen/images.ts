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

/** Qwen-Image and its kin answer at once, as in a conversation. */
const answersAtOnce = (model: string) => /^(qwen-image|z-image)/.test(model)

/** Wanx and other painters take an order, and the picture is asked for until it is there. */
export const images: ImagesAdapter = {
  // Only those that paint in a conversation take a picture; by their names, since the others would ignore it.
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
    // Only a task that still waits can be taken back.
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
    if (found.length === 0) throw new VendorError(failureOf('server', 'DashScope painted nothing'))
    return { images: found, usage: undefined }
  },
}

/** Other words than numbers, such as `auto`, are left to the model. */
const starred = (size = '') => (/^\d+x\d+$/.test(size) ? size.replace('x', '*') : undefined)

/** Of several pictures some may have failed; those carry a code instead of an address. */
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
