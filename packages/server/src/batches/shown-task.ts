import { type Fields, isFields, MJ_CODES } from '@tollgate/providers'
import type { BatchRow } from './batches-repository.ts'
import type { HeldPlan, PlannedTask } from './plan.ts'

const TASK_LOST = 'The outcome of the task is unknown. It costs nothing.'

/** Fields that are passed on to the caller; the others describe the server's accounts. */
const TASK_FIELDS = [
  ...['action', 'botType', 'status', 'prompt', 'promptEn', 'description', 'submitTime', 'startTime', 'finishTime'],
  ...['progress', 'failReason', 'buttons'],
]
const TASK_PROPERTIES = ['finalPrompt', 'finalZhPrompt']
const SUBMISSION_PROPERTIES = ['numberOfQueues', 'status', 'promptEn', 'bannedWord', 'finalPrompt', 'remix']

/** A task as its caller sees it: the request, overlaid with the server's answer, with our ids and URLs. */
export const shownTask = (row: BatchRow, baseUrl: string) => {
  const task = taskOf(row)
  const answer = answerOf(row)
  const isLost = row.status === 'failed'
  return {
    ...{ id: row.id, action: task.action, prompt: task.prompt, promptEn: '', description: '', state: task.state },
    ...{ submitTime: row.created_at * 1000, startTime: 0, finishTime: 0, progress: '0%', status: 'SUBMITTED' },
    ...{ failReason: null, buttons: [] },
    ...('code' in answer ? {} : chosen(answer, TASK_FIELDS)),
    description: withOwnIds(textOf(answer.description), row, task),
    imageUrl: imageOf(row) === undefined ? '' : imageUrl(row, baseUrl),
    properties: isFields(answer.properties) ? chosen(answer.properties, TASK_PROPERTIES) : {},
    ...(isLost && { status: 'FAILURE', failReason: TASK_LOST, finishTime: (row.settled_at ?? 0) * 1000 }),
  }
}

/** The answer to a submission. */
export const shownSubmission = (row: BatchRow, baseUrl: string) => {
  const { code, description, properties } = answerOf(row)
  // The job may have polled it in the meantime.
  if (typeof code !== 'number') return existing(row, baseUrl, MJ_CODES.submitted)
  return { code, description, result: row.id, properties: submitted(properties) }
}

/** The answer for a task that already exists. */
export const existing = (row: BatchRow, baseUrl: string, code: number = MJ_CODES.exists) => {
  const { status, imageUrl: url } = shownTask(row, baseUrl)
  const isKnown = code === MJ_CODES.exists
  return {
    ...{ code, description: isKnown ? 'The task exists already' : 'Submitted', result: row.id },
    properties: isKnown ? { status, imageUrl: url } : {},
  }
}

/** The server's refusal of a submission. */
export const shownRefusal = ({ code, description, properties }: Fields) => ({
  ...{ code, description: textOf(description), result: '', properties: submitted(properties) },
})

/** The image's URL at the server; undefined if there is none. */
export const imageOf = (row: BatchRow) => {
  const { imageUrl: url } = answerOf(row)
  return typeof url === 'string' && url !== '' ? url : undefined
}

export const taskOf = ({ plan }: BatchRow): PlannedTask => {
  const { task }: HeldPlan = JSON.parse(plan)
  return task ?? { action: '', prompt: '', state: '', view: '' }
}

/** Programs display images where they cannot send a key. */
const imageUrl = (row: BatchRow, baseUrl: string) => `${baseUrl}/mj/image/${row.id}?view=${taskOf(row).view}`

const answerOf = ({ body }: BatchRow): Fields => {
  const answer: unknown = body === '' ? {} : JSON.parse(body)
  return isFields(answer) ? answer : {}
}

const withOwnIds = (text: string, { id, upstream_id }: BatchRow, { parent }: PlannedTask) =>
  [
    [upstream_id, id],
    [parent?.upstreamId, parent?.id],
  ].reduce((result, [theirs = '', ours = '']) => (theirs === '' ? result : result.replaceAll(theirs, ours)), text)

const submitted = (properties: unknown) => (isFields(properties) ? chosen(properties, SUBMISSION_PROPERTIES) : {})

const chosen = (fields: Fields, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])))

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
