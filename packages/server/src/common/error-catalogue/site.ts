import { at, no } from './entry.ts'

/** The log, mail, outgoing connections and the server itself. */
export const SITE_ERRORS = {
  'ledger.other_posting': no('{ref} 已用于另一笔额度变动', '{ref} was already used for another quota change'),

  'analytics.range': no('结束时间必须晚于开始时间', 'The end must be later than the start'),
  'analytics.range_max': no('时间范围最长 {days} 天', 'The range can be at most {days} days'),
  'analytics.too_many_names': no('这样的统计最多列出 {max} 个名称', 'A question like this lists at most {max} names'),
  'analytics.too_many_steps': no(
    '时间范围内的时间点过多，请选择更大的时间粒度',
    'The range has too many data points: choose a longer interval or a shorter range',
  ),

  'log.target_required': no('请指定清理的目标时间', 'Specify the target time in Unix seconds'),

  'mail.not_configured': no('管理员未配置邮件服务', 'No mail server is configured'),
  'mail.failed': no('邮件发送失败，请稍后再试', 'The e-mail could not be sent, try again later'),
  'mail.failed_because': no('邮件发送失败：{reason}', 'The e-mail could not be sent: {reason}'),
  'mail.too_often': at(429, '邮件发送过于频繁，请稍后再试', 'Too many e-mails requested, try again later'),

  'outbound.refused_address': no('目标地址不允许访问', 'The target address is not allowed'),
  'outbound.failed': no('无法连接目标地址', 'The target address cannot be reached'),

  'server.internal': at(500, '服务器内部错误，请联系管理员', 'Internal server error, please contact the administrator'),
  'server.busy': at(503, '服务器繁忙，请稍后再试', 'The server is busy, try again later'),
  'server.unavailable': at(503, '服务暂时不可用，请稍后再试', 'The service is not available right now'),
}
