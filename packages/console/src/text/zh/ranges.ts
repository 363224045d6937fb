export const zh = {
  range: '时间范围',
  names: {
    today: '今天',
    yesterday: '昨天',
    '7d': '近 7 天',
    '30d': '近 30 天',
    month: '本月',
    last_month: '上月',
  },
  problems: {
    reversed: () => '地址中的结束日期早于开始日期，因此显示近 7 天。',
    unknown: () => '地址中的时间范围无法识别，因此显示近 7 天。',
    tooLong: (days: number) => `地址中的时间范围太长，因此只显示最后 ${days} 天。`,
  },
  anyDays: '选择日期',
  days: (first: string, last: string) => (first === last ? first : `${first} 至 ${last}`),
}
