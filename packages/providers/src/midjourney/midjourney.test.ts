import { expect, test } from 'bun:test'
import { anAccess } from '../testing/vendor-kit.ts'
import { midjourney } from './midjourney.ts'
import { isMjSubmissionKind, mjModelOf, mjSubmissionOf } from './submission.ts'
import { mjRefusal, readMjTask } from './task.ts'

test('a URL uses the server’s address, with or without the common path', () => {
  for (const baseUrl of ['https://mj.example', 'https://mj.example/mj', 'https://mj.example/mj/'])
    expect(midjourney.midjourney?.url('/mj/submit/imagine', anAccess({ baseUrl }))).toBe(
      'https://mj.example/mj/submit/imagine',
    )
})

const BUTTONS: [string, string | undefined][] = [
  ['MJ::JOB::upsample::2::3dbbd469', 'mj_upscale'],
  ['MJ::JOB::upsample_v6_2x_creative::1::3dbbd469::SOLO', 'mj_upscale'],
  ['MJ::JOB::variation::4::3dbbd469', 'mj_variation'],
  ['MJ::JOB::low_variation::1::3dbbd469::SOLO', 'mj_low_variation'],
  ['MJ::JOB::high_variation::1::3dbbd469::SOLO', 'mj_high_variation'],
  ['MJ::JOB::reroll::0::3dbbd469::SOLO', 'mj_reroll'],
  ['MJ::JOB::pan_left::1::3dbbd469::SOLO', 'mj_pan'],
  ['MJ::Outpaint::50::1::3dbbd469::SOLO', 'mj_zoom'],
  ['MJ::CustomZoom::3dbbd469', 'mj_custom_zoom'],
  ['MJ::Inpaint::1::3dbbd469::SOLO', 'mj_inpaint'],
  ['MJ::BOOKMARK::3dbbd469', undefined],
  ['MJ::JOB::animate_high::1::3dbbd469', undefined],
  ['', undefined],
]

test.each(BUTTONS)('the button %s is the model %s', (customId, model) => {
  const { data } = mjSubmissionOf('action').safeParse({ taskId: '1', customId })
  expect(data && mjModelOf(data.action)).toBe(model)
})

test('a simple change is parsed, and sent with the server’s id of the task', () => {
  const read = (content: string) => mjSubmissionOf('simple-change').safeParse({ content }).data
  expect(read('123 u2')).toMatchObject({ action: 'UPSCALE', parentId: '123' })
  expect(read(' 123  V4 ')?.body('9')).toEqual({ content: '9 V4', state: '' })
  expect(read('123 r')).toMatchObject({ action: 'REROLL' })
  for (const wrong of ['123', '123 U5', '123 X1', '123 U1 U2', 'U1']) expect(read(wrong)).toBeUndefined()
  expect(['imagine', 'modal', 'video', 'constructor'].filter(isMjSubmissionKind)).toEqual(['imagine', 'modal'])
})

test('a code says whether a submission was accepted, and whether another server may help', () => {
  for (const code of [1, 21, 22]) expect(mjRefusal({ code })).toBeUndefined()
  expect(mjRefusal({ status: 'FAILURE' })).toBeUndefined()
  expect(mjRefusal({ code: 24, description: 'banned' })).toMatchObject({ blame: 'request', message: 'banned' })
  expect(mjRefusal({ code: 4 })).toMatchObject({ blame: 'request' })
  for (const code of [3, 9, 23, -1]) expect(mjRefusal({ code })).toMatchObject({ blame: 'transient' })
})

test('a task without a status has not started, and an invalid id is none', () => {
  expect(readMjTask({ code: 1, result: 1689 })).toEqual({ id: '1689', status: 'SUBMITTED', ended: false })
  expect(readMjTask({ id: '1689', status: null })).toEqual({ id: '1689', status: 'NOT_START', ended: false })
  expect(readMjTask({ id: '1689', status: 'CANCEL' })).toMatchObject({ ended: true })
  expect(readMjTask({ code: 1, result: '../../secrets' })).toMatchObject({ id: '' })
})
