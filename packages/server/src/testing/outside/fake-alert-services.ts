import { createHmac } from 'node:crypto'
import { jsonFields, type Received, recordingServer } from './recording-server.ts'

/*
 * The services that receive alerts. They refuse what the real ones refuse, in the same way: most of them with status 200. `texts` is what
 * a person would have read.
 */

interface Faulty {
  /** Answers the next messages in place of the service, while it returns an answer. */
  fail?: () => Response | undefined
}

const HOUR_SEC = 3600

export function fakeFeishu({ secret = '' } = {}) {
  const texts: string[] = []
  const path = '/open-apis/bot/v2/hook/6d6ddf4e-feishu-hook-0001'
  const server = recordingServer((request) => {
    const fields = jsonFields(request)
    if (request.path !== path)
      return Response.json({ code: 19001, msg: 'param invalid: incoming webhook access token invalid' })
    if (fields?.msg_type !== 'text') return Response.json({ code: 9499, msg: 'Bad Request', data: {} })
    if (secret !== '') {
      const { timestamp, sign } = fields
      const expected = createHmac('sha256', `${timestamp}\n${secret}`).update('').digest('base64')
      const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) < HOUR_SEC
      if (sign !== expected || typeof timestamp !== 'string' || !isFresh) {
        return Response.json({
          code: 19021,
          msg: 'sign match fail or timestamp is not within one hour from current time',
        })
      }
    }
    texts.push(textIn(fields.content, 'text'))
    return Response.json({ StatusCode: 0, StatusMessage: 'success', code: 0, data: {}, msg: 'success' })
  })
  return { ...server, address: server.url + path, texts }
}

export function fakeDingTalk({ secret = '', fail }: { secret?: string } & Faulty = {}) {
  const texts: string[] = []
  const token = 'dingtalk-access-token-0123456789'
  const server = recordingServer((request) => {
    const faulty = fail?.()
    if (faulty !== undefined) return faulty
    const fields = jsonFields(request)
    if (request.path !== '/robot/send' || request.query.access_token !== token) {
      return Response.json({ errcode: 300005, errmsg: 'token is not exist' })
    }
    if (fields?.msgtype !== 'text') return Response.json({ errcode: 40035, errmsg: '不合法的参数' })
    const { timestamp = '', sign } = request.query
    const expected = createHmac('sha256', secret).update(`${timestamp}\n${secret}`).digest('base64')
    const isFresh = Math.abs(Date.now() - Number(timestamp)) < HOUR_SEC * 1000
    if (secret !== '' && (sign !== expected || !isFresh)) {
      return Response.json({ errcode: 310000, errmsg: `sign not match, access_token=${token}` })
    }
    texts.push(textIn(fields.text, 'content'))
    return Response.json({ errcode: 0, errmsg: 'ok' })
  })
  return { ...server, address: `${server.url}/robot/send?access_token=${token}`, token, texts }
}

export function fakeWeCom() {
  const texts: string[] = []
  const key = 'wecom-key-693axxx6-7aoc-4bc4-97a0'
  const server = recordingServer((request) => {
    const fields = jsonFields(request)
    const isKnown = request.path === '/cgi-bin/webhook/send' && request.query.key === key
    if (!isKnown) return Response.json({ errcode: 93000, errmsg: 'invalid webhook url' })
    const text = textIn(fields?.text, 'content')
    if (fields?.msgtype !== 'text' || text === '')
      return Response.json({ errcode: 40008, errmsg: 'invalid message type' })
    if (new TextEncoder().encode(text).length > 2048)
      return Response.json({ errcode: 40058, errmsg: 'content exceeds 2048' })
    texts.push(text)
    return Response.json({ errcode: 0, errmsg: 'ok' })
  })
  return { ...server, address: `${server.url}/cgi-bin/webhook/send?key=${key}`, texts }
}

export function fakeTelegram({ token = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw', chat = '-1001234567890' } = {}) {
  const texts: string[] = []
  const refuse = (error_code: number, description: string) =>
    Response.json({ ok: false, error_code, description }, { status: error_code })
  const server = recordingServer((request) => {
    if (request.path !== `/bot${token}/sendMessage`) return refuse(401, 'Unauthorized')
    const { chat_id, text } = jsonFields(request) ?? {}
    if (String(chat_id) !== chat) return refuse(400, 'Bad Request: chat not found')
    if (typeof text !== 'string' || text === '') return refuse(400, 'Bad Request: message text is empty')
    if (text.length > 4096) return refuse(400, 'Bad Request: message is too long')
    texts.push(text)
    return Response.json({ ok: true, result: { message_id: texts.length } })
  })
  return { ...server, token, chat, texts }
}

export function fakeSlack() {
  const texts: string[] = []
  const path = '/services/T00000000/B00000000/slack-hook-secret-XXXX'
  const server = recordingServer((request) => {
    if (request.path !== path) return new Response('no_service', { status: 404 })
    const { text } = jsonFields(request) ?? {}
    if (typeof text !== 'string') return new Response('invalid_payload', { status: 400 })
    if (text === '') return new Response('no_text', { status: 400 })
    texts.push(text)
    return new Response('ok')
  })
  return { ...server, address: server.url + path, texts }
}

export function fakeBark() {
  const texts: string[] = []
  const key = 'barkdevicekeyABCDEFGH'
  const server = recordingServer((request) => {
    const answer = (code: number, message: string) =>
      Response.json({ code, message, timestamp: Math.floor(Date.now() / 1000) }, { status: code })
    if (request.method !== 'POST' || request.path !== '/push') return answer(404, 'not found')
    const { device_key, title, body } = jsonFields(request) ?? {}
    if (device_key !== key)
      return answer(400, `failed to get device token: failed to get [${device_key}] device token from database`)
    texts.push(`${title}\n${body}`)
    return answer(200, 'success')
  })
  return { ...server, address: `${server.url}/${key}`, key, texts }
}

/** A custom webhook, which verifies the signature as in the guide. */
export function fakeWebhook({ secret = 'webhook-secret-0123', fail }: { secret?: string } & Faulty = {}) {
  const events: Record<string, unknown>[] = []
  const server = recordingServer((request) => {
    const faulty = fail?.()
    if (faulty !== undefined) return faulty
    if (!isSigned(request, secret)) return new Response('bad signature', { status: 401 })
    events.push(jsonFields(request) ?? {})
    return new Response(null, { status: 204 })
  })
  return { ...server, address: `${server.url}/hooks/tollgate-alerts`, secret, events }
}

function isSigned({ headers, body }: Received, secret: string) {
  const timestamp = headers.get('x-tollgate-timestamp') ?? ''
  const expected = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  return headers.get('x-tollgate-signature') === `sha256=${expected}`
}

const textIn = (content: unknown, member: string) => {
  const fields: Record<string, unknown> = typeof content === 'object' && content !== null ? { ...content } : {}
  return String(fields[member] ?? '')
}
