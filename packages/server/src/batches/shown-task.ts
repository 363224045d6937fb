import { type Fields, isFields, MJ_CODES } from '@tollgate/providers'
import type { BatchRow } from './batches-repository.ts'
import type { HeldPlan, PlannedTask } from './plan.ts'

const TASK_LOST = 'Nobody can tell what became of the task. It costs nothing.'

/** What a server says of a task to everybody: the rest is about its accounts. */
const TOLD = [
  ...['action', 'botType', 'status', 'prompt', 'promptEn', 'description', 'submitTime', 'startTime', 'finishTime'],
  ...['progress', 'failReason', 'buttons'],
]
const TOLD_PROPERTIES = ['finalPrompt', 'finalZhPrompt']
const TOLD_ON_SUBMISSION = ['numberOfQueues', 'status', 'promptEn', 'bannedWord', 'finalPrompt', 'remix']

/** A task as its caller sees it: what was asked for, and over it the server's words, with our ids and our address. */
export const shownTask = (row: BatchRow, place: string) => {
  const task = taskOf(row)
  const said = saidOf(row)
  const isLost = row.status === 'failed'
  return {
    ...{ id: row.id, action: task.action, prompt: task.prompt, promptEn: '', description: '', state: task.state },
    ...{ submitTime: row.created_at * 1000, startTime: 0, finishTime: 0, progress: '0%', status: 'SUBMITTED' },
    ...{ failReason: null, buttons: [] },
    ...('code' in said ? {} : chosen(said, TOLD)),
    description: withOwnIds(textOf(said.description), row, task),
    imageUrl: imageOf(row) === undefined ? '' : imageUrl(row, place),
    properties: isFields(said.properties) ? chosen(said.properties, TOLD_PROPERTIES) : {},
    ...(isLost && { status: 'FAILURE', failReason: TASK_LOST, finishTime: (row.settled_at ?? 0) * 1000 }),
  }
}

/** What a submission was answered with. */
export const shownSubmission = (row: BatchRow, place: string) => {
  const { code, description, properties } = saidOf(row)
  // The job may have asked after it meanwhile.
  if (typeof code !== 'number') return existing(row, place, MJ_CODES.submitted)
  return { code, description, result: row.id, properties: submitted(properties) }
}

/** One that has been made before. */
export const existing = (row: BatchRow, place: string, code: number = MJ_CODES.exists) => {
  const { status, imageUrl: url } = shownTask(row, place)
  const isKnown = code === MJ_CODES.exists
  return {
    ...{ code, description: isKnown ? 'The task exists already' : 'Submitted', result: row.id },
    properties: isKnown ? { status, imageUrl: url } : {},
  }
}

/** What a server has said instead of taking a submission. */
export const shownRefusal = ({ code, description, properties }: Fields) => ({
  ...{ code, description: textOf(description), result: '', properties: submitted(properties) },
})

/** Where the server has its picture; undefined where it has none. */
export const imageOf = (row: BatchRow) => {
  const { imageUrl: url } = saidOf(row)
  return typeof url === 'string' && url !== '' ? url : undefined
}

export const taskOf = ({ plan }: BatchRow): PlannedTask => {
  const { task }: HeldPlan = JSON.parse(plan)
  return task ?? { action: '', prompt: '', state: '', view: '' }
}

/** Pictures are shown by programs that cannot send a key with them. */
const imageUrl = (row: BatchRow, place: string) => `${place}/mj/image/${row.id}?view=${taskOf(row).view}`

const saidOf = ({ body }: BatchRow): Fields => {
  const said: unknown = body === '' ? {} : JSON.parse(body)
  return isFields(said) ? said : {}
}

const withOwnIds = (text: string, { id, upstream_id }: BatchRow, { parent }: PlannedTask) =>
  [
    [upstream_id, id],
    [parent?.upstreamId, parent?.id],
  ].reduce((told, [theirs = '', ours = '']) => (theirs === '' ? told : told.replaceAll(theirs, ours)), text)

const submitted = (properties: unknown) => (isFields(properties) ? chosen(properties, TOLD_ON_SUBMISSION) : {})

const chosen = (fields: Fields, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])))

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
