import { no } from './entry.ts'

/** Alert rules and destinations. */
export const ALERT_ERRORS = {
  'alert.no_rule': no('告警规则不存在', 'There is no such alert rule'),
  'alert.no_destination': no('告警通知目标不存在', 'There is no such alert destination'),
  'alert.not_for_owner': no('这里不支持这种告警规则', 'This type of alert rule is not supported here'),
  'alert.too_many': no('最多 {max} 个', 'You can have at most {max}'),
  'alert.bad_zone': no('不存在这个时区：{zone}', 'There is no such time zone: {zone}'),
  'alert.bad_address': no(
    '请填写以 http:// 或 https:// 开头的完整地址',
    'Enter a full URL starting with http:// or https://',
  ),
  'alert.bad_mailbox': no('请填写有效的邮箱地址', 'Enter a valid e-mail address'),
  'alert.bad_chat': no('请填写 Telegram 会话 ID（数字或 @频道名）', 'Enter a Telegram chat ID: a number or @channel'),
  'alert.own_mailbox': no(
    '只能发往自己账户绑定的邮箱，地址留空即可',
    'E-mail can only be sent to the address of your own account: leave the address empty',
  ),
  'alert.no_mailbox': no('请先在个人设置中绑定邮箱', 'Link an e-mail address in your personal settings first'),
  'alert.bad_bot_token': no('机器人令牌的格式是 数字:字母', 'A bot token is a number, a colon and letters'),
  'alert.unreadable': no(
    '地址无法用当前主密钥解密，请重新填写',
    'The address cannot be decrypted with the current master key: enter it again',
  ),
  'alert.refused_address': no(
    '目标地址不允许访问：它指向内网、本机或保留的地址。内网地址可以由超级管理员在通知目标里放行',
    'The target address is not allowed: it leads to a private, local or reserved network. The super administrator can allow a private address in the destination',
  ),
  'alert.secret_needed': no('请填写密钥', 'Enter the secret'),
  'alert.no_secret': no('这种方式不使用密钥', 'This method does not use a secret'),
  'alert.root_allows_private': no(
    '只有超级管理员可以允许内网地址',
    'Only the super administrator can allow a private address',
  ),
}
