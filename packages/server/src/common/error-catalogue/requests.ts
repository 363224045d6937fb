import { at, no } from './entry.ts'

/** Malformed requests, whatever they are about. */
export const REQUEST_ERRORS = {
  'input.malformed': at(400, '{reason}', '{reason}'),
  'input.refused': no('{reason}', '{reason}'),
  // The end of a sentence that begins with the field's name.
  'input.required': no('不能为空', 'is required'),
  'input.too_long': no('最长 {max} 个字符', 'must have at most {max} characters'),
  'input.too_short': no('至少需要 {min} 个字符', 'must have at least {min} characters'),
  'input.too_many': no('最多 {max} 项', 'must have at most {max} entries'),
  'input.too_few': no('至少需要 {min} 项', 'must have at least {min} entries'),
  'input.too_many_models': no('最多包含 20 个模型', 'must have at most 20 models'),
  'input.above': no('不能大于 {max}', 'must be at most {max}'),
  'input.below': no('不能小于 {min}', 'must be at least {min}'),
  'input.no_text': no('必须是文本', 'must be text'),
  'input.no_number': no('必须是数字', 'must be a number'),
  'input.no_integer': no('必须是整数', 'must be a whole number'),
  'input.no_flag': no('必须是 true 或 false', 'must be true or false'),
  'input.no_list': no('必须是列表', 'must be a list'),
  'input.no_object': no('必须是 JSON 对象', 'must be a JSON object'),
  'input.not_among': no('只能是以下之一：{values}', 'must be one of: {values}'),
  'input.unknown_field': no('是未知的字段', 'is not a known field'),
  'input.zone': no('名称无效，例如 Asia/Shanghai', 'must be a name like Asia/Shanghai'),
  'input.tail_position': no('必须是实时日志给出的位置', 'must be a position returned by the live log'),
  'input.dimensions': no(
    '只能是一个维度或两个不同的维度；时间可以与任何维度组合，分组不能与模型或渠道组合，其余的都可以两两组合',
    'must be one dimension or two different ones: time combines with any other, group does not combine with model or channel, and all other pairs are allowed',
  ),
  'input.own_only': no(
    '在这里不可用：这里只有您自己的用量，不分用户、分组和渠道',
    'cannot be used here: this covers your own usage only, without users, groups or channels',
  ),
  'input.bad_format': no('格式不正确', 'is not valid'),
  'input.malformed_json': at(400, '请求内容不是合法的 JSON', 'The body is not valid JSON'),
  'input.too_large': at(413, '请求内容过大', 'The body is too large'),
  'input.reserved_name': at(
    400,
    '请求内容不能包含名为 __proto__ 的字段',
    'The body must not contain a field named __proto__',
  ),
  'input.unstorable': at(400, '请求包含无法保存的字符', 'The request contains a character that cannot be stored'),
  'input.control_characters': no('不能包含控制字符', 'must not contain control characters'),
  'input.email': no('格式不正确', 'is not valid'),
  'input.bad_host': at(400, '请求的 Host 头不合法', 'The Host header is malformed'),
  'input.bad_path': at(400, '请求路径不合法', 'The path is malformed'),

  'edit.changed_meanwhile': no(
    '打开表单之后，有人修改了{names}，这次没有保存。您填写的内容仍在表单中，再次保存会覆盖新的值',
    'Somebody has changed this since you opened the form, so nothing was saved: {names}. What you entered is still in the form; saving again overwrites the newer value',
  ),

  'idempotency.bad_key': at(
    400,
    'Idempotency-Key 必须是 1 到 255 个可见的 ASCII 字符',
    'An Idempotency-Key must be 1 to 255 visible ASCII characters',
  ),
  'idempotency.other_body': at(
    422,
    '这个 Idempotency-Key 已用于另一个请求',
    'This Idempotency-Key was already used for another request',
  ),
  'idempotency.unanswered': at(
    409,
    '上一次提交没有完成，无法确定是否已经生效，请先查看列表，再决定是否重新提交',
    'The earlier attempt did not finish and may have taken effect: check the list before you submit it again',
  ),

  'http.not_found': at(404, '接口不存在：{method} {path}', 'Invalid URL ({method} {path})'),
  'http.no_ollama': at(
    404,
    '这里没有 Ollama 接口（{method} {path}），请使用 /v1 下的 OpenAI 接口',
    "Ollama's API is not offered ({method} {path}): use OpenAI's, below /v1",
  ),
  'http.too_many': at(429, '请求过于频繁，请稍后再试', 'Too many requests, try again later'),
}
