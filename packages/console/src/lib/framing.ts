const ABILITIES = 'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads'

/**
 * Whether a site may stand in a frame, and with which abilities. Only https, as the content security policy says. A
 * foreign site keeps its own origin, which most need for their storage; ours must not, because a page of our own origin
 * that runs scripts could reach out of its sandbox.
 */
export function framing(url: string, ownOrigin: string) {
  const { protocol, origin } = URL.parse(url) ?? { protocol: '', origin: '' }
  const foreign = origin !== ownOrigin
  return { allowed: protocol === 'https:', sandbox: foreign ? `${ABILITIES} allow-same-origin` : ABILITIES }
}
