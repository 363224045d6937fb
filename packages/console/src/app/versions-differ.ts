const plain = (version: string) => version.trim().replace(/^v/, '')

/** Whether the page should be reloaded. A build without a version never differs. */
export const versionsDiffer = (server: string, console: string) => {
  const known = [server, console].map(plain).every((version) => version !== '' && version !== '0.0.0')
  return known && plain(server) !== plain(console)
}
