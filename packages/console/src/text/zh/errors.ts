export const zh = {
  tooManyRequests: '错误：请求次数过多，请稍后再试',
  internal: '错误：服务器内部错误，请联系管理员',
  demonstration: '本站仅作演示之用，无服务端',
  other: (message: string) => `错误：${message}`,
  offline: '没有网络连接，请求没有发出，恢复连接后请重试',
  unreachable: '无法连接到服务器，请检查网络或稍后重试',
  cannotConnect: '无法正常连接至服务器',
}
