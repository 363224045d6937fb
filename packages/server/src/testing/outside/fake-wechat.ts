import { recordingServer, singleUse } from './recording-server.ts'

/** The wechat-server of one-api's author: everything is answered with 200, an unknown code with empty data. */
export function fakeWeChat({ token = 'wechat-token' } = {}) {
  const codes = singleUse<string>('')
  const server = recordingServer(({ method, path, query, headers }) => {
    if (method !== 'GET' || path !== '/api/wechat/user') return new Response('404 page not found', { status: 404 })
    if (headers.get('authorization') !== token)
      return Response.json({ success: false, message: '无权进行此操作，未登录或 token 无效' })
    if (!query.code) return Response.json({ success: false, message: '无效的参数' })
    return Response.json({ success: true, message: '', data: codes.redeem(query.code) ?? '' })
  })
  return { ...server, token, codeFor: codes.issue }
}
