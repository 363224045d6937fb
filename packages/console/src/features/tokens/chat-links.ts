import { stripTrailingSlash } from '@tollgate/contract'
import { fullKey } from '../../lib/session/full-key.ts'

interface ChatLinkNeeds {
  key: string
  address: string
  /** The operator's own chat site, or ''. */
  chatLink: string
}

const NEXT_CHAT = 'https://app.nextchat.dev'

/** URLs that open a chat client with this key and this server filled in. */
export function chatLinks({ key, address, chatLink }: ChatLinkNeeds) {
  const server = encodeURIComponent(address)
  const site = stripTrailingSlash(chatLink)
  const nextSettings = encodeURIComponent(JSON.stringify({ key: fullKey(key), url: address }))
  const lobeSettings = encodeURIComponent(
    JSON.stringify({ keyVaults: { openai: { apiKey: fullKey(key), baseURL: `${address}/v1` } } }),
  )
  return [
    { client: 'NextChat', url: `${site || NEXT_CHAT}/#/?settings=${nextSettings}` },
    { client: 'AMA', url: `ama://set-api-key?server=${server}&key=${fullKey(key)}` },
    { client: 'OpenCat', url: `opencat://team/join?domain=${server}&token=${fullKey(key)}` },
    ...(site === '' ? [] : [{ client: 'LobeChat', url: `${site}/?settings=${lobeSettings}` }]),
  ]
}
