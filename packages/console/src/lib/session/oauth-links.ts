/** GitHub's authorization page, which redirects to /oauth/github. */
export const gitHubAuthorizeUrl = (clientId: string, state: string) =>
  `https://github.com/login/oauth/authorize?${new URLSearchParams({ client_id: clientId, state, scope: 'user:email' })}`

/** Lark's authorization page, which redirects to /oauth/lark. */
export const larkAuthorizeUrl = (appId: string, state: string, origin: string) =>
  `https://open.feishu.cn/open-apis/authen/v1/authorize?${new URLSearchParams({
    redirect_uri: `${origin}/oauth/lark`,
    app_id: appId,
    state,
  })}`
