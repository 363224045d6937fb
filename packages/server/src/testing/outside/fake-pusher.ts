import { jsonFields, recordingServer } from './recording-server.ts'

/** The Message Pusher. `address` is what an operator copies into the settings; `pushed` is what reached the phone. */
export function fakePusher({ username = 'root', token = 'pusher-token' } = {}) {
  const pushed: { title: unknown; description: unknown; content: unknown }[] = []
  const server = recordingServer((request) => {
    if (request.method !== 'POST') return new Response('404 page not found', { status: 404 })
    const fields = jsonFields(request)
    if (fields === undefined)
      return Response.json({ success: false, message: '无法解析请求体，请检查其是否为合法 JSON' })
    if (request.path !== `/push/${username}`) return Response.json({ success: false, message: '用户不存在' })
    if (fields.token !== token) return Response.json({ success: false, message: '无效的 token' }, { status: 401 })
    if (fields.channel !== '') return Response.json({ success: false, message: `无效的渠道名称：${fields.channel}` })
    pushed.push({ title: fields.title, description: fields.description, content: fields.content })
    return Response.json({ success: true, message: '', uuid: crypto.randomUUID() })
  })
  return { ...server, address: `${server.url}/push/${username}`, token, pushed }
}
