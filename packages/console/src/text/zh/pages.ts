export const zh = {
  about: '关于',
  aboutDefault: (name: string) => `${name} 是一个 AI 模型 API 网关，用统一的接口调用多家服务商的模型。`,
  aboutHelp: '管理员可以在「设置 - 其他设置」中填写关于页面的内容，支持 HTML 和 Markdown，也可以填写一个 https 地址。',
  goSettings: '去设置',
  goGuide: '查看使用指南',
  aboutFailed: '加载关于内容失败',
  chat: '聊天',
  chatNone: '还没有设置聊天页面',
  chatNoneHelp: '管理员可以在「设置 - 运营设置」中填写聊天页面链接。',
}
