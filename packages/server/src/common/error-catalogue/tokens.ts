import { about, no } from './entry.ts'

/** API keys, budgets, recordings, redemption codes. */
export const TOKEN_ERRORS = {
  'budget.not_found': no('预算不存在', 'There is no such budget'),
  'budget.no_target': about('target', '预算的对象不存在', 'The target of this budget does not exist'),
  'budget.own_keys_only': no('只能为自己的令牌设置预算', 'You can only set budgets for your own tokens'),
  'budget.managed': no(
    '这个预算由管理员设置，不能修改',
    'This budget was set by an administrator, so you cannot change it',
  ),
  'budget.too_many': no('同一对象最多 {max} 个预算', 'A target can have at most {max} budgets'),
  'budget.bad_zone': about('zone', '不存在这个时区：{zone}', 'There is no such time zone: {zone}'),

  'token.not_found': no('令牌不存在', 'There is no such token'),
  'token.bad_subnet': about('subnet', '无效的网段：{entry}', 'Not a valid subnet: {entry}'),
  'token.bad_status': no('不支持的令牌状态', 'This status cannot be set'),
  'token.still_expired': no(
    '令牌已过期，请先修改过期时间',
    'The token has expired. Set a later expiry before you enable it',
  ),
  'token.still_exhausted': no(
    '令牌额度已用尽，请先增加剩余额度',
    'The token has no quota left. Increase it before you enable the token',
  ),
  'token.blocked': no(
    '该令牌已被管理员禁用，您不能启用它。原因：{reason}',
    'An administrator disabled this token, so you cannot enable it. Reason: {reason}',
  ),
  'token.not_blocked': no(
    '该令牌不是由管理员禁用的，只有其所有者可以启用',
    'This token was not disabled by an administrator: only its owner can enable it',
  ),
  'token.reason_missing': about(
    'reason',
    '请填写禁用的原因，令牌的所有者会看到',
    'Enter a reason. The owner of the token will see it',
  ),
  'token.too_many': no('令牌数量已达上限 {max}', 'You have reached the limit of {max} tokens'),

  'redemption.not_found': no('兑换码不存在', 'There is no such redemption code'),
  'redemption.invalid': about('key', '兑换失败，无效的兑换码', 'This code is not valid'),
  'redemption.used': about('key', '兑换失败，该兑换码已被使用', 'This code has already been used'),
  'redemption.disabled': about('key', '兑换失败，该兑换码已被禁用', 'This code is disabled'),
  'redemption.edit_used': no('已使用的兑换码不能修改', 'A used code cannot be changed'),
  'redemption.bad_status': no('不支持的兑换码状态', 'This status cannot be set'),

  'recording.not_enabled': no('站点没有开启调用记录', 'Recording is not enabled for this site'),
  'recording.reason_missing': about('reason', '请写明记录的原因', 'Enter a reason for recording the calls'),
  'recording.not_asked': no('没有等待答复的记录请求', 'There is no pending request to record the calls of this key'),
  'recording.asked_otherwise': no(
    '请求的内容刚刚改变，请看过之后再答复',
    'The request has just changed. Review it before you respond',
  ),
  'recording.not_found': no('没有这次调用的记录内容', 'There is no recording of this call'),
  'recording.rank': no('只能查看级别更低的用户的记录内容', 'You can only view recordings of users with a lower role'),
  'recording.disabled': no(
    '管理员未启用调用记录，无法查看其他用户的记录内容',
    "Recording is not enabled, so other users' recordings cannot be viewed",
  ),
}
