export const zh = {
  enabled: '已启用',
  disabled: '已禁用',
  unknownStatus: '未知状态',
  role: { user: '普通用户', admin: '管理员', root: '超级管理员', unknown: '未知身份' },
  user: { enabled: '已激活', banned: '已封禁' },
  token: { expired: '已过期', exhausted: '已耗尽' },
  channel: { disabled: '已手动禁用', autoDisabled: '已自动禁用', unknownType: '未知类型' },
  redemption: { unused: '未使用', used: '已使用' },
  log: {
    topUp: '充值',
    consume: '消费',
    manage: '管理',
    system: '系统',
    test: '测试',
    failed: '失败',
    unknown: '未知',
  },
}
