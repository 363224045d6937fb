import type { Text } from '@tollgate/contract'
import type { Language } from './errors.ts'

/** What each field of the management API is called in words, so that a refusal reads like a sentence about it. */
const NAMES: Record<string, Text> = {
  '': name('请求内容', 'the body'),
  action: name('操作', 'action'),
  aff_code: name('邀请码', 'invite code'),
  base_url: name('地址', 'address'),
  by: name('统计维度', 'dimension'),
  channel: name('渠道 ID', 'channel ID'),
  code: name('验证码', 'code'),
  config: name('渠道配置', 'channel config'),
  count: name('数量', 'number of codes'),
  current_password: name('当前密码', 'current password'),
  display_name: name('显示名称', 'display name'),
  email: name('邮箱地址', 'e-mail address'),
  session: name('会话', 'session'),
  request_id: name('请求 ID', 'request ID'),
  end: name('结束时间', 'end time'),
  end_timestamp: name('结束时间', 'end time'),
  expired_time: name('过期时间', 'expiry time'),
  external_login: name('外部登录开关', 'external login switch'),
  fallback: name('备用模型开关', 'fallback switch'),
  format: name('文件格式', 'file format'),
  group: name('分组', 'group'),
  id: name('ID', 'ID'),
  key: name('密钥', 'key'),
  keyword: name('关键词', 'keyword'),
  language: name('语言', 'language'),
  min_elapsed: name('最短耗时', 'least duration'),
  min_quota: name('最低额度', 'least quota'),
  model: name('模型', 'model'),
  model_mapping: name('模型映射', 'model mapping'),
  model_name: name('模型名称', 'model name'),
  models: name('模型', 'models'),
  name: name('名称', 'name'),
  order: name('排序方式', 'order'),
  other: name('附加参数', 'extra parameter'),
  outcome: name('调用结果', 'outcome'),
  p: name('页码', 'page'),
  page_size: name('每页条数', 'rows per page'),
  password: name('密码', 'password'),
  period: name('周期', 'period'),
  password2: name('确认密码', 'repeated password'),
  priority: name('优先级', 'priority'),
  provider: name('登录方式', 'sign-in service'),
  quota: name('额度', 'quota'),
  quota_base: name('原额度', 'earlier quota'),
  rate_limits: name('速率限制', 'rate limit'),
  reference: name('支付单号', 'payment reference'),
  remain_quota: name('剩余额度', 'remaining quota'),
  remain_quota_base: name('原剩余额度', 'earlier remaining quota'),
  remark: name('备注', 'remark'),
  role: name('角色', 'role'),
  raise_quota: name('临时追加额度', 'one-time raise'),
  raise_until: name('追加的截止时间', 'end of the raise'),
  rolling: name('滚动周期', 'rolling period'),
  scope: name('范围', 'scope'),
  start: name('开始时间', 'start time'),
  start_timestamp: name('开始时间', 'start time'),
  state: name('登录状态', 'sign-in state'),
  status: name('状态', 'status'),
  status_only: name('仅修改状态', 'status-only switch'),
  step: name('时间粒度', 'step'),
  stream: name('流式', 'stream'),
  subnet: name('IP 网段', 'subnet'),
  system_prompt: name('系统提示词', 'system prompt'),
  target: name('操作对象', 'target'),
  target_timestamp: name('目标时间', 'target time'),
  test_model: name('测试模型', 'test model'),
  token: name('重置令牌', 'reset token'),
  token_name: name('令牌名称', 'token name'),
  top: name('显示数量', 'number of rows'),
  turnstile: name('人机验证', 'human check'),
  type: name('类型', 'type'),
  unlimited_quota: name('无限额度开关', 'unlimited quota switch'),
  user: name('用户名', 'username'),
  user_id: name('用户 ID', 'user ID'),
  username: name('用户名', 'username'),
  utc_offset_minutes: name('时区偏移', 'time zone offset'),
  value: name('设置值', 'value'),
  verification_code: name('验证码', 'verification code'),
  weight: name('权重', 'weight'),
  zone: name('时区', 'time zone'),
}

/** Where one name means something else. */
const ELSEWHERE: Record<string, Text> = {
  '/api/user/topup key': name('兑换码', 'redemption code'),
  '/api/option/ key': name('设置项', 'setting'),
}

/** The name of a field in words; a member that nobody knows has only its own. */
export const fieldName = (path: string, field: string, language: Language) =>
  (ELSEWHERE[`${path} ${field}`] ?? (hasFieldName(field) ? NAMES[field] : undefined))?.[language] ?? field

export const hasFieldName = (field: string) => Object.hasOwn(NAMES, field)

function name(zh: string, en: string): Text {
  return { zh, en }
}
