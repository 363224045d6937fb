import type { OptionKey } from '@tollgate/contract'

/** A secret that is sent to an address from another option. It can be decrypted only while that address is the same. */
const ADDRESS_OF: Partial<Record<OptionKey, OptionKey>> = {
  SMTPToken: 'SMTPServer',
  WeChatServerToken: 'WeChatServerAddress',
  MessagePusherToken: 'MessagePusherAddress',
}

/**
 * The context of a stored secret. Otherwise anyone who may edit settings could point the address to a host of their own and have
 * the secret sent there; so after a change of the host it has to be entered again.
 */
export const secretContext = (key: OptionKey, text: (key: OptionKey) => string) => {
  const address = ADDRESS_OF[key]
  return address === undefined ? `option:${key}` : `option:${key}:${hostOf(text(address))}`
}

/** `mail.example.com:465` parses as a URL too, one without an origin: it is treated as a name. */
function hostOf(address: string) {
  const origin = URL.parse(address)?.origin ?? 'null'
  return origin === 'null' ? address.trim().toLowerCase() : origin
}
