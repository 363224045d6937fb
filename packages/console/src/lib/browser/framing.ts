const ABILITIES = 'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads'

/**
 * Whether a site may be framed, and with which sandbox flags. Only https, as in the content security policy. A foreign site keeps its
 * own origin, which most need for their storage; ours must not, because a same-origin page that runs scripts could escape its sandbox.
 */
export function framing(url: string, ownOrigin: string) {
  const { protocol, origin } = URL.parse(url) ?? { protocol: '', origin: '' }
  const foreign = origin !== ownOrigin
  return { allowed: protocol === 'https:', sandbox: foreign ? `${ABILITIES} allow-same-origin` : ABILITIES }
}
