import { onTestFinished } from 'bun:test'
import { isFields } from '@tollgate/providers'

interface MjTask {
  key: string
  shown: Record<string, unknown>
}

/** The fields that each submission may have according to the documentation; any other is an error here. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  imagine: ['prompt', 'base64Array', 'base64', 'botType', 'state'],
  change: ['taskId', 'action', 'index', 'state'],
  'simple-change': ['content', 'state'],
  describe: ['base64', 'botType', 'state'],
  blend: ['base64Array', 'dimensions', 'botType', 'state'],
  action: ['taskId', 'customId', 'state'],
  modal: ['taskId', 'prompt', 'maskBase64', 'state'],
  shorten: ['prompt', 'botType', 'state'],
}

export const PICTURE = Buffer.alloc(200_000, 'picture')

/**
 * A midjourney-proxy server according to its public documentation, strict about its requests: a task waits until the test decides its
 * outcome. It answers 200 to nearly everything; the code in the body says what happened.
 */
export const fakeMidjourney = (key = 'k-mj') => {
  const tasks = new Map<string, MjTask>()
  const asked: { method: string; path: string; headers: Headers; body?: Record<string, unknown> }[] = []
  let count = 0
  /** Answers the next submissions with this instead of accepting them. */
  let answers: ((body: Record<string, unknown>) => Response | undefined) | undefined
  /** The content of an image, if not the usual one. */
  let content: (() => ReadableStream) | undefined

  const make = (action: string, more: Record<string, unknown>) => {
    const id = `168923140585${String(3400 + ++count)}`
    const shown = {
      ...{ id, action, status: 'SUBMITTED', prompt: '', promptEn: '', description: `/${action.toLowerCase()}` },
      ...{ state: '', submitTime: 1_689_231_405_854, startTime: 0, finishTime: 0, progress: '0%', imageUrl: '' },
      ...{ failReason: null, buttons: [], ...more },
      properties: { finalPrompt: 'Cat', notifyHook: 'http://inside.example', discordInstanceId: '11181383', flags: 0 },
    }
    tasks.set(id, { key, shown })
    return Response.json({
      code: 1,
      description: '提交成功',
      result: id,
      properties: { discordInstanceId: '11181383' },
    })
  }

  const refused = (code: number, description: string, properties = {}) =>
    Response.json({ code, description, result: null, properties })

  const change = (taskId: unknown, action: string, mark: string, state: unknown) => {
    const parent = tasks.get(String(taskId))
    if (parent === undefined) return refused(3, '关联任务不存在或已失效')
    if (parent.shown.status !== 'SUCCESS') return refused(4, '关联任务状态错误')
    const description = `/up ${taskId} ${mark}`
    const made = [...tasks.values()].find(({ shown }) => shown.description === description)
    if (made !== undefined && action === 'UPSCALE') {
      const { id, status, imageUrl } = made.shown
      return Response.json({ code: 21, description: '任务已存在', result: id, properties: { status, imageUrl } })
    }
    return make(action, { description, state, prompt: parent.shown.prompt })
  }

  const submit = (kind: string, body: Record<string, unknown>) => {
    const foreign = Object.keys(body).find((name) => MEMBERS[kind]?.includes(name) !== true)
    if (foreign !== undefined) return new Response(`Unrecognized field "${foreign}"`, { status: 400 })
    const { prompt, state, taskId, action, index, content, customId } = body
    if (kind === 'imagine' && String(prompt).includes('nude'))
      return refused(24, '可能包含敏感词', { promptEn: prompt, bannedWord: 'nude' })
    if (kind === 'change')
      return change(taskId, String(action), action === 'REROLL' ? 'R' : `${String(action)[0]}${index}`, state)
    if (kind === 'simple-change') {
      const [id, mark = ''] = String(content).split(' ')
      return change(id, { U: 'UPSCALE', V: 'VARIATION' }[mark[0] ?? ''] ?? 'REROLL', mark, state)
    }
    if (kind === 'action') {
      if (!tasks.has(String(taskId))) return refused(3, '关联任务不存在或已失效')
      // This server runs in remix mode: a variation waits for a prompt, too.
      if (!/Inpaint|variation/.test(String(customId))) return make('UPSCALE', { state })
      make(String(customId).includes('Inpaint') ? 'INPAINT' : 'VARIATION', { status: 'MODAL', state })
      const result = [...tasks.keys()].at(-1)
      return Response.json({ code: 21, description: 'Waiting for window confirm', result, properties: { remix: true } })
    }
    if (kind === 'modal') {
      const task = tasks.get(String(taskId))
      if (task?.shown.status !== 'MODAL') return refused(4, '任务状态错误')
      task.shown.status = 'SUBMITTED'
      return Response.json({ code: 1, description: '提交成功', result: taskId, properties: {} })
    }
    return make(kind.toUpperCase(), { prompt, state })
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { method, headers, url } = request
      const path = new URL(url).pathname
      const json: unknown = method === 'POST' ? await request.json() : undefined
      const body = isFields(json) ? json : undefined
      asked.push({ method, path, headers, ...(body !== undefined && { body }) })
      if (path.startsWith('/attachments/')) {
        if (headers.has('mj-api-secret')) return new Response('The key is nobody’s business here', { status: 400 })
        return new Response(content?.() ?? PICTURE, { headers: { 'content-type': 'image/png' } })
      }
      if (headers.get('mj-api-secret') !== key) return new Response('', { status: 401 })
      const [, , noun, id = '', part] = path.replace(/^\/mj-(fast|relax|turbo)/, '').split('/')
      if (noun === 'submit' && body !== undefined) return answers?.(body) ?? submit(id, body)
      if (noun !== 'task' || part !== 'fetch') return new Response('', { status: 404 })
      // For an unknown task the answer is empty.
      const task = tasks.get(id)
      return task === undefined ? new Response('') : Response.json(task.shown)
    },
  })
  onTestFinished(() => server.stop(true))
  const url = `http://127.0.0.1:${server.port}`

  return {
    url,
    asked,
    tasks,
    /** Answers the next submissions, while it returns an answer. */
    answers(answer: typeof answers) {
      answers = answer
    },
    /** From now on every image has this content. */
    streamsPicture(stream: () => ReadableStream) {
      content = stream
    },
    /** Decides the outcome of the last submitted task. */
    becomes(status: string, more: Record<string, unknown> = {}) {
      const task = [...tasks.values()].at(-1)
      if (task === undefined) throw new Error('No task was submitted')
      const picture = { progress: '100%', finishTime: 1_689_231_544_312, imageUrl: `${url}/attachments/cat.png` }
      Object.assign(task.shown, { status, ...(status === 'SUCCESS' && picture), ...more })
    },
  }
}
