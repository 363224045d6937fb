import { z } from 'zod'

/*
 * What may be submitted, after the public documents of midjourney-proxy and of its extended versions. Members that are not
 * named here do not reach the server: `notifyHook` would have it call an address of the caller's choice, and `accountFilter`
 * chooses among the operator's accounts.
 */

export interface MjSubmission {
  /** As tasks name it. */
  action: string
  prompt: string
  /** Free text of the caller's, which comes back with the task. */
  state: string
  /** The task that it changes, by the caller's name of it. */
  parentId?: string
  /** What is sent, with the server's name of that task. */
  body(parentId: string): object
}

/** Each action is a model of its own: that is how operators price them. */
export const mjModelOf = (action: string) => `mj_${action.toLowerCase()}`

const PROMPT_MAX = 32_000
const PICTURES_MAX = 5

const state = z.string().max(2000).default('')
const taskId = z.string().min(1).max(200)
const prompt = z.string().trim().min(1).max(PROMPT_MAX)
const botType = z.enum(['MID_JOURNEY', 'NIJI_JOURNEY']).optional()
/** A data URL; the body as a whole has a limit. */
const picture = z.string().regex(/^data:image\/[\w.+-]+;base64,/, 'a data URL with an image')

const Imagine = z.object({
  prompt,
  base64Array: z.array(picture).max(PICTURES_MAX).optional(),
  base64: picture.optional(),
  botType,
  state,
})
const Blend = z.object({
  base64Array: z.array(picture).min(2).max(PICTURES_MAX),
  dimensions: z.enum(['PORTRAIT', 'SQUARE', 'LANDSCAPE']).optional(),
  botType,
  state,
})
const Describe = z.object({ base64: picture, botType, state })
const Shorten = z.object({ prompt, botType, state })
const Change = z
  .object({
    taskId,
    action: z.enum(['UPSCALE', 'VARIATION', 'REROLL']),
    index: z.number().int().min(1).max(4).optional(),
    state,
  })
  .refine(({ action, index }) => action === 'REROLL' || index !== undefined, { path: ['index'], message: '1 to 4' })
const SimpleChange = z.object({
  content: z
    .string()
    .max(300)
    .regex(/^\s*\S{1,200}\s+(?:[uv][1-4]|r)\s*$/i, 'a task and one of U1 to U4, V1 to V4, R'),
  state,
})
const Action = z.object({ taskId, customId: z.string().min(1).max(500), state })
const Modal = z.object({ taskId, prompt: z.string().max(PROMPT_MAX).optional(), maskBase64: picture.optional(), state })

/** By the last part of the path. */
const READERS = {
  imagine: Imagine.transform((sent) => made('IMAGINE', sent, sent.prompt)),
  blend: Blend.transform((sent) => made('BLEND', sent)),
  describe: Describe.transform((sent) => made('DESCRIBE', sent)),
  shorten: Shorten.transform((sent) => made('SHORTEN', sent, sent.prompt)),
  change: Change.transform((sent) => changed(sent.action, sent)),
  'simple-change': SimpleChange.transform(({ content, ...sent }): MjSubmission => {
    const [id = '', change = ''] = content.trim().split(/\s+/)
    const action = SIMPLE.get(change.charAt(0).toUpperCase()) ?? ''
    return { ...made(action, sent), parentId: id, body: (parent) => ({ ...sent, content: `${parent} ${change}` }) }
  }),
  action: Action.transform((sent, context) => {
    const action = actionOf(sent.customId)
    if (action !== undefined) return changed(action, sent)
    context.addIssue({ code: 'custom', path: ['customId'], message: 'a button that the gateway knows the price of' })
    return z.NEVER
  }),
  modal: Modal.transform((sent) => ({ ...changed('MODAL', sent), prompt: sent.prompt ?? '' })),
} satisfies Record<string, z.ZodType<MjSubmission>>

export type MjSubmissionKind = keyof typeof READERS

export const isMjSubmissionKind = (kind: string): kind is MjSubmissionKind => Object.hasOwn(READERS, kind)

/** Strict: an error names the field. */
export const mjSubmissionOf = (kind: MjSubmissionKind): z.ZodType<MjSubmission> => READERS[kind]

function made(action: string, sent: { state: string }, said = ''): MjSubmission {
  return { action, prompt: said, state: sent.state, body: () => sent }
}

function changed(action: string, sent: { taskId: string; state: string }): MjSubmission {
  return { ...made(action, sent), parentId: sent.taskId, body: (parent) => ({ ...sent, taskId: parent }) }
}

const SIMPLE = new Map<string, string>([
  ['U', 'UPSCALE'],
  ['V', 'VARIATION'],
  ['R', 'REROLL'],
])

/** `MJ::JOB::upsample::2::3dbbd469-…`, `MJ::Outpaint::50::1::…`: a button of a finished task. */
function actionOf(customId: string) {
  const [, first = '', second = ''] = customId.split('::')
  const name = first === 'JOB' ? second : first
  return BUTTONS.find(([pattern]) => pattern.test(name))?.[1]
}

const BUTTONS: readonly (readonly [RegExp, string])[] = [
  [/upsample/, 'UPSCALE'],
  [/^low_variation$/, 'LOW_VARIATION'],
  [/^high_variation$/, 'HIGH_VARIATION'],
  [/^variation$/, 'VARIATION'],
  [/^pan_/, 'PAN'],
  [/^reroll$/, 'REROLL'],
  [/^Outpaint$/, 'ZOOM'],
  [/^CustomZoom$/, 'CUSTOM_ZOOM'],
  [/^Inpaint$/, 'INPAINT'],
]
