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
  anyDays: '选择日期',
  days: (first: string, last: string) => (first === last ? first : `${first} 至 ${last}`),
}
