import { fakeSpark, SPARK_KEY } from '../fake-spark.ts'
import { type Fields, fields, firstOf, list, trickle, turnsComplaint, type VendorAnswer } from './strict-vendor.ts'

/* iFlytek's Spark over its socket: one question, frames of the answer; an error is a frame with its code. */

export const strictSpark = {
  name: "iFlytek's Spark",
  type: 18,
  model: 'Spark-Max',
  key: `${SPARK_KEY.appId}|${SPARK_KEY.secret}|${SPARK_KEY.apiKey}`,
  calls: 'one' as const,
  /** Ends with the test. */
  start(answers: readonly VendorAnswer[]) {
    const journal: { body: Fields }[] = []
    const { url } = fakeSpark(({ raw, close }, body) => {
      const answer = answers[journal.length % answers.length]
      journal.push({ body })
      const complaint = complaintOf(body)
      const frames = complaint === undefined && answer !== undefined ? framesOf(answer) : [fault(complaint ?? '')]
      for (const frame of frames) raw(JSON.stringify(frame))
      close()
    })
    return { url, journal }
  },
}

const OUTPUT_MAX = 8192
const TOP_K_MAX = 6

function complaintOf({ header, parameter, payload }: Fields) {
  const { app_id, uid } = fields(header)
  const { domain, temperature, top_k, max_tokens } = fields(fields(parameter).chat)
  const { message, functions } = fields(payload)
  const all = list(fields(message).text).map(fields)
  const within = (value: unknown, min: number, max: number) =>
    value === undefined || (typeof value === 'number' && value >= min && value <= max)
  return firstOf(
    app_id !== SPARK_KEY.appId && 'param validate error: $.header.app_id',
    typeof uid === 'string' && uid.length > 32 && 'param validate error: $.header.uid',
    domain !== 'generalv3.5' && 'param validate error: $.parameter.chat.domain',
    !(within(temperature, 0, 1) && temperature !== 0) && 'param validate error: $.parameter.chat.temperature',
    !within(top_k, 1, TOP_K_MAX) && 'param validate error: $.parameter.chat.top_k',
    !within(max_tokens, 1, OUTPUT_MAX) && 'param validate error: $.parameter.chat.max_tokens',
    all.slice(1).some(({ role }) => role === 'system') && 'the system message must be the first',
    turnsComplaint(
      all.filter(({ role }) => role !== 'system').map(({ role }) => role),
      ['user', 'assistant'],
    ),
    all.some(({ content }) => typeof content !== 'string' || content === '') && 'content cannot be empty',
    ...list(fields(functions).text).map((own) => {
      const { name, description, parameters } = fields(own)
      const isWhole = /^[\w-]+$/.test(String(name)) && typeof description === 'string'
      return isWhole && fields(parameters).type === 'object' ? undefined : 'param validate error: $.payload.functions'
    }),
  )
}

const fault = (message: string) => ({ header: { code: 10004, message, sid: 'cht-strict', status: 2 } })

function framesOf({ id = 'strict', text = '', calls: [call] = [], usage: { input, output } }: VendorAnswer) {
  const function_call = call && { name: call.name, arguments: JSON.stringify(call.args) }
  const texts = [
    ...trickle(text).map((content) => ({ content, role: 'assistant', index: 0 })),
    { content: '', role: 'assistant', index: 0, ...(function_call && { function_call }) },
  ]
  return texts.map((one, seq) => {
    const status = seq === texts.length - 1 ? 2 : seq === 0 ? 0 : 1
    const counted = {
      question_tokens: 1,
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
    }
    return {
      header: { code: 0, message: 'Success', sid: `cht-${id}`, status },
      payload: { choices: { status, seq, text: [one] }, ...(status === 2 ? { usage: { text: counted } } : {}) },
    }
  })
}
