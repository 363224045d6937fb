import { no } from './entry.ts'

/** Alert rules and destinations. */
export const ALERT_ERRORS = {
  'alert.no_rule': no('告警规则不存在', 'There is no such alert rule'),
  'alert.no_destination': no('告警通知目标不存在', 'There is no such alert destination'),
  'alert.not_for_owner': no('这里不支持这种告警规则', 'This kind of alert rule does not belong here'),
  'alert.too_many': no('最多 {max} 个', 'There can be at most {max} of them'),
  'alert.bad_zone': no('不存在这个时区：{zone}', 'There is no such time zone: {zone}'),
  'alert.bad_address': no(
    '请填写以 http:// 或 https:// 开头的完整地址',
    'An address that begins with http:// or https:// is needed',
  ),
  'alert.bad_mailbox': no('请填写有效的邮箱地址', 'A valid e-mail address is needed'),
  'alert.bad_chat': no(
    '请填写 Telegram 会话 ID（数字或 @频道名）',
    'The id of a Telegram chat is needed: a number, or @channel',
  ),
  'alert.own_mailbox': no(
    '只能发往自己账户绑定的邮箱，地址留空即可',
    'Mail goes to the mailbox of your own account only: leave the address empty',
  ),
  'alert.no_mailbox': no('请先在个人设置中绑定邮箱', 'Bind an e-mail address in your personal settings first'),
  'alert.bad_bot_token': no('机器人令牌的格式是 数字:字母', 'The token of a bot is a number, a colon and letters'),
  'alert.unreadable': no(
    '地址无法用当前主密钥解密，请重新填写',
    'The address cannot be opened with the current master key: type it again',
  ),
  'alert.secret_needed': no('请填写密钥', 'The secret is needed'),
  'alert.no_secret': no('这种方式不使用密钥', 'This way has no secret'),
  'alert.root_allows_private': no(
    '只有超级管理员可以允许内网地址',
    'Only the super administrator may allow a private address',
  ),
}
