import { at, no } from './entry.ts'

const BUDGET_SPENT = at(
  429,
  '{scope}的{period}预算{model}（{amount}）不足以支付这次调用{renewal}',
  'The {period} budget of {scope}{model} ({amount}) does not cover this call{renewal}',
)

/** Relayed calls. */
export const RELAY_ERRORS = {
  'relay.no_key': at(
    401,
    '未提供 API 密钥，请在 Authorization: Bearer、x-api-key 或 x-goog-api-key 中提供',
    'No API key was given: send it as Authorization: Bearer, x-api-key or x-goog-api-key',
  ),
  'relay.bad_key': at(
    401,
    'API 密钥无效，请检查后重新填写，或在控制台新建令牌',
    'The API key is not valid: check it, or create a new one in the console',
  ),
  'relay.key_disabled': at(
    401,
    '该 API 密钥已被禁用，请在控制台启用，或使用其他密钥',
    'This API key is disabled: enable it in the console, or use another one',
  ),
  'relay.key_blocked': at(
    401,
    '该 API 密钥已被管理员禁用，原因：{reason}。请联系管理员，或使用其他密钥',
    'An administrator disabled this API key. Reason: {reason}. Contact the administrator, or use another key',
  ),
  'relay.key_expired': at(
    401,
    '该 API 密钥已过期，请在控制台修改过期时间，或使用其他密钥',
    'This API key has expired: set a later expiry in the console, or use another one',
  ),
  'relay.key_exhausted': at(
    429,
    '该 API 密钥的额度已用尽，请在控制台增加额度，或使用其他密钥',
    'The quota of this API key is used up: raise it in the console, or use another one',
  ),
  'relay.budget_spent': BUDGET_SPENT,
  'relay.channel_budget_spent': BUDGET_SPENT,
  'relay.user_disabled': at(403, '账户已被封禁，请联系管理员', 'This account is banned: contact the administrator'),
  'relay.wrong_address': at(
    403,
    '该 API 密钥不允许从此地址使用，请在控制台把地址加入允许的网段',
    'This API key may not be used from this address: add the address to its IP ranges in the console',
  ),
  'relay.model_refused': at(
    403,
    '该 API 密钥无权使用模型 {model}{hint}',
    'This API key may not use the model {model}{hint}',
  ),
  'relay.rate_limited': at(
    429,
    '{whose}已达到速率限制：{kind}上限为 {limit}，请在 {seconds} 秒后再试',
    'The rate limit of {whose} is reached: at most {limit} {kind}. Try again in {seconds} s',
  ),
  'relay.limit_of_key': no('该 API 密钥', 'this API key'),
  'relay.limit_of_user': no('账户', 'the account'),
  'relay.limit_of_group': no('账户所在的分组', 'the group of the account'),
  'relay.limit_of_model': no('{whose}对模型 {model} ', '{whose} for the model {model}'),
  'relay.limit_rpm': no('每分钟请求数', 'requests per minute'),
  'relay.limit_tpm': no('每分钟 token 数', 'tokens per minute'),
  'relay.limit_concurrency': no('同时进行的调用数', 'concurrent calls'),
  'relay.pin_refused': at(
    403,
    '普通用户不支持指定渠道，请去掉密钥末尾的渠道编号',
    'Only administrators can choose a channel: remove the channel number after the key',
  ),
  'relay.pin_unknown': at(
    400,
    '指定的渠道不存在或未启用，请选择其他渠道',
    'The chosen channel does not exist or is disabled: choose another one',
  ),
  'relay.no_model': at(400, '请求中没有模型，请用 model 指定', 'The request names no model: name one as "model"'),
  'relay.bad_body': at(400, '请求内容无效：{reason}', 'The request is not valid: {reason}'),
  'relay.unknown_model': at(
    404,
    '模型 {model} 不存在，或不对您开放{hint}',
    'The model {model} does not exist, or is not offered to you{hint}',
  ),
  'relay.near_model': no('；您是否想用 {near}？', ': did you mean {near}?'),
  'relay.listed_models': no('；可用的模型见 GET {list}', ': GET {list} lists the models you may use'),
  'relay.no_channel': at(
    503,
    '模型 {model} 的渠道因故障已全部停用，请稍后再试，或联系管理员',
    'All channels for the model {model} are disabled after failures: try again later, or contact the administrator',
  ),
  'relay.channels_resting': at(
    503,
    '模型 {model} 的渠道暂时都不可用，请在 {seconds} 秒后再试',
    'All channels for the model {model} are temporarily unavailable: try again in {seconds} s',
  ),
  'relay.unsupported': at(
    400,
    '提供该模型的渠道不支持此接口，请换用其他接口或模型',
    'No channel for this model supports this endpoint: use another endpoint or model',
  ),
  'relay.needs_socket': at(426, '此接口只接受 WebSocket 连接', 'This path accepts WebSocket connections only'),
  'relay.no_compaction': at(
    404,
    '提供该模型的渠道没有压缩对话的接口（/v1/responses/compact），请自行缩短对话，或换用 OpenAI 的模型',
    'No channel for this model can compact conversations (/v1/responses/compact): shorten the conversation yourself, or use an OpenAI model',
  ),
  'relay.not_found': at(
    404,
    '接口不存在，请检查地址：{method} {path}{hint}',
    'There is no such path, check the base URL: {method} {path}{hint}',
  ),
  'relay.near_path': no('，是否应为 {near}？', ', did you mean {near}?'),
  'relay.wrong_method': at(
    405,
    '{path} 不接受 {method} 请求，请使用 {allowed}',
    '{path} does not accept {method} requests: use {allowed}',
  ),
  'relay.upstream_failed': at(502, '上游服务暂时不可用，请稍后再试', 'The upstream service failed, try again later'),
  'relay.restarting': at(503, '网关正在重启，请稍后重试', 'The gateway is restarting, try again in a moment'),
  'relay.client_left': at(499, '客户端已断开连接', 'The client disconnected before the response'),

  'quota.user': at(
    429,
    '账户余额不足：这次调用需要 {needed}，请充值后再试',
    'The balance does not cover this call, which needs {needed}: top up the account',
  ),
  'quota.token': at(
    429,
    '该 API 密钥的剩余额度不足：这次调用需要 {needed}，请在控制台增加额度，或使用其他密钥',
    'The quota of this API key does not cover this call, which needs {needed}: raise it in the console, or use another key',
  ),
  'quota.rest': at(
    429,
    '账户余额不足以完成这次回答，请充值后再试',
    'The balance does not cover the rest of this response: top up the account',
  ),
}
