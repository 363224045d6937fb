import type { Text } from '@tollgate/contract'
import { errorText, type Language } from './errors.ts'

/**
 * A failure of a vendor in both languages. Callers get it in English, and so it is stored; where the sentence is ours, operators read it
 * in their own language. A vendor's words stay as they are.
 */
export const upstreamText = (sentence: string): Text => ({ zh: inChinese(sentence), en: sentence })

export const upstreamTextIn = (sentence: string, language: Language) =>
  language === 'zh' ? inChinese(sentence) : sentence

/** `{}` stands for a value, which is translated if it is one of these sentences itself. */
const CHINESE: Readonly<Record<string, string>> = {
  'The upstream cannot be reached': '无法连接上游',
  "The request was not sent: its header {} has a character that no header may have. Check the channel's key and header rules":
    '请求没有发出：请求头 {} 中有不允许的字符，请检查渠道的密钥和请求头规则',
  "The upstream answered with a redirect ({}), which is not followed. Check the channel's address":
    '上游返回了重定向（{}），系统不会跟随，请检查渠道的地址',
  'The upstream did not answer in time': '上游没有及时响应',
  'The upstream went silent': '上游中途不再发送数据',
  'The upstream sent nothing': '上游没有返回任何内容',
  'The upstream answered with status {}': '上游返回了状态码 {}',
  'The upstream answered with something that is not JSON': '上游返回的内容不是 JSON',
  'The upstream answered with a chat': '上游返回了对话，而不是所请求的内容',
  'The upstream sent a malformed answer': '上游返回的内容格式不正确',
  'The upstream sent a damaged event': '上游发送的事件已损坏',
  'The upstream broke off its answer': '上游中断了响应',
  'The upstream broke off its answer: it closed the stream before the end': '上游中断了响应：数据流在结束前被关闭',
  'The upstream broke off the conversation': '上游中断了会话',
  'The upstream closed the conversation at once': '上游立即关闭了会话',
  'The upstream reported an error': '上游报告了错误',
  'The upstream stopped with an error': '上游因错误而停止',
  'The upstream refused this content': '上游拒绝了该内容',
  'The upstream refused this content: {}': '上游拒绝了该内容：{}',
  'The upstream mixed the arguments of two tool calls': '上游混淆了两个工具调用的参数',
  'The upstream returned no image': '上游没有返回图片',
  'The upstream returned no file id': '上游没有返回文件 ID',
  'The upstream returned no address for the upload': '上游没有返回上传地址',
  'The upstream stored the file under another name': '上游用另一个名称保存了文件',
  'The upstream stated no balance': '上游没有给出余额',
  "The upstream's answer is not valid HTTP: {}": '上游的响应不是有效的 HTTP：{}',
  'The proxy of the channel failed: {}': '渠道的代理出错：{}',
  'The vendor gave no token for the key': '服务商没有为该密钥签发令牌',
  'The vendor streamed what was not asked for': '服务商返回了没有请求的流式响应',
  'The vendor answered code {}': '服务商返回了代码 {}',
  'The vendor never confirmed it': '服务商一直没有确认',
  'The pages of results have no end': '分页的结果没有尽头',
  'The vendor no longer knows it': '服务商已没有它的记录',
  'The vendor did not report an outcome': '服务商没有报告结果',
  'The batch ended without an answer ({})': '批处理没有返回结果就结束了（{}）',
  'The download answered with {}': '下载返回了状态码 {}',
  'The download answered with too many redirects': '下载的重定向次数过多',
  'The answer has too many levels': '响应的嵌套层级过多',
  'The answer holds no {}': '响应中没有 {}',
  'The task took too long': '任务耗时过长',
  'The task ended as {}': '任务以 {} 结束',
  'The prediction ended as {}': '预测以 {} 结束',
  'The conversation took too long': '会话时间过长',
  'The model said nothing': '模型没有返回内容',
  'The model returned no image': '模型没有返回图片',
  'The model broke off its answer: {}': '模型中断了响应：{}',
  'The video has failed': '视频生成失败',
  'The bot failed': '智能体运行失败',
  'The account holds {} and no CNY': '账户中是 {}，没有人民币余额',
  'The key of this {} channel is not of the form {}': '该 {} 渠道的密钥不符合格式 {}',
  'The region of this channel is not a region': '该渠道的区域不是有效的区域',
  "The private key of this channel's service account can not be read": '无法读取该渠道服务账号的私钥',
  "This channel's Google credentials are not the JSON of a service account": '该渠道的 Google 凭据不是服务账号的 JSON',
  'This channel does not offer the call': '该渠道不支持这种调用',
  'This channel does not offer chats': '该渠道不支持对话',
  'This channel does not offer embeddings': '该渠道不支持向量',
  'This channel does not offer rankings': '该渠道不支持重排序',
  'This channel does not offer such pictures': '该渠道不支持这种图片请求',
  'This channel does not offer {}': '该渠道不支持 {}',
  'This channel does not stream pictures': '该渠道不支持流式返回图片',
  "This channel does not support 'mask'": '该渠道不支持 mask',
  'This channel has no realtime conversations': '该渠道不支持实时会话',
  "This channel answers 'json' or 'text'": '该渠道只返回 json 或 text',
  'This channel speaks {}': '该渠道只支持 {}',
  "This channel's model can not search the web: '{}'": '该渠道的模型不能搜索网页：{}',
  'This AI Proxy channel has no knowledge base id': '该 AI Proxy 渠道没有填写知识库 ID',
  'This Cloudflare channel has no account id': '该 Cloudflare 渠道没有填写账户 ID',
  'This Coze channel has no user id': '该 Coze 渠道没有填写用户 ID',
  'AI Proxy refused the question': 'AI Proxy 拒绝了提问',
  'Cohere stopped with {}': 'Cohere 以 {} 停止',
  'Coze answered without a stream': 'Coze 没有以流式响应',
  'Coze reported an error': 'Coze 报告了错误',
  'DashScope returned no image': 'DashScope 没有返回图片',
  'DashScope returned no transcript': 'DashScope 没有返回转写结果',
  'Google has shut down PaLM 2: use a channel of type Gemini (24) instead':
    'Google 已停用 PaLM 2：请改用 Gemini（24）类型的渠道',
  'Replicate named a stream that is not at Replicate': 'Replicate 给出的流地址不属于 Replicate',
  'Zhipu broke off the answer': '智谱中断了响应',
  'Baidu answered with code {}': '百度返回了代码 {}',
  'No channel was tried': '没有尝试任何渠道',
  'No channel accepted the file': '没有渠道接收该文件',
  'No key of the channel can be used now': '渠道目前没有可用的密钥',
  'it cannot be reached': '无法连接',
  'it closed the connection': '它关闭了连接',
  'it did not connect in time': '没有及时建立连接',
  'it refused the connection with status {}': '它拒绝了连接，状态码 {}',
  'it refused the connection with code {}': '它拒绝了连接，代码 {}',
  'it said more than it was asked': '它返回了多余的内容',
  'it wants another user or password': '用户名或密码不正确',
  'its TLS failed': 'TLS 握手失败',
  'its answer is not HTTP': '它的响应不是 HTTP',
  'its answer is not SOCKS5': '它的响应不是 SOCKS5',
  'its rules do not allow the connection': '它的规则不允许这个连接',
  'it cannot reach the network of the provider': '它无法连接服务商所在的网络',
  'it cannot reach the provider': '它无法连接服务商',
  'the provider refused its connection': '服务商拒绝了它的连接',
  'the name of the provider is too long for it': '服务商的域名对它来说太长',
  'user or password are too long for it': '用户名或密码太长',
  'a chunk longer than it said': '分块比声明的长',
  'a chunk without a size': '分块没有长度',
  'a header line that is none': '无效的标头行',
  'a line feed without a carriage return': '换行符前没有回车符',
  'an endless head': '标头过长',
  'an endless line': '行过长',
  'an impossible length': '无效的长度',
  'an unknown transfer encoding': '未知的传输编码',
  'an upgrade that nobody asked for': '没有请求的协议升级',
  'answered the upgrade with status {}': '对协议升级返回了状态码 {}',
  'answered with something that is not HTTP': '返回的内容不是 HTTP',
  'endless announcements': '过多的临时响应',
  'endless trailers': '尾部字段过长',
  'more than {} header lines': '标头超过 {} 行',
}

const WHOLE = new Map([
  ...Object.entries(CHINESE),
  ...(['relay.client_left', 'outbound.refused_address'] as const).map(
    (code) => [errorText(code, 'en'), errorText(code, 'zh')] as const,
  ),
])

const WITH_VALUES = Object.entries(CHINESE)
  .filter(([sentence]) => sentence.includes('{}'))
  .map(([sentence, chinese]) => ({ pattern: patternOf(sentence), chinese }))

function patternOf(sentence: string) {
  const parts = sentence.split('{}').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('(.{1,200})')}$`, 's')
}

function inChinese(sentence: string): string {
  const whole = WHOLE.get(sentence)
  if (whole !== undefined) return whole
  // Failures of keys begin with their status.
  const [, status, failure] = /^(\d{3} )(.+)$/s.exec(sentence) ?? []
  if (status !== undefined && failure !== undefined) return status + inChinese(failure)
  for (const { pattern, chinese } of WITH_VALUES) {
    const values = pattern.exec(sentence)?.slice(1)
    if (values !== undefined) return values.reduce((text, value) => text.replace('{}', () => inChinese(value)), chinese)
  }
  return sentence
}
