const PREFIXES = ['file-', 'batch_', 'msgbatch_', 'gbatch_', 'background_', 'video_'] as const

/** An id in the vendor's format. Ids increase over time, so that lists can be sorted by them, and cannot be guessed. */
export const newId = (prefix: (typeof PREFIXES)[number]) => prefix + Bun.randomUUIDv7().replaceAll('-', '')

/** Digits only, as in midjourney-proxy: programs extract them from texts by that. */
export const newTaskId = () => BigInt(`0x${Bun.randomUUIDv7().replaceAll('-', '')}`).toString()

/** When an id was made, in seconds; undefined for anything else. */
export function timeOfId(id: string): number | undefined {
  const [, hex] = WITH_PREFIX.exec(id) ?? (TASK_ID.test(id) ? ['', BigInt(id).toString(16).padStart(32, '0')] : [])
  return hex === undefined ? undefined : Math.floor(Number.parseInt(hex.slice(0, 12), 16) / 1000)
}

/** All ids that are made in a time have an order between two of these. Times are in seconds. */
export const idsBetween = (from: number, until: number): [first: string, last: string][] => {
  const hexOf = (time: number) =>
    Math.max(0, time * 1000)
      .toString(16)
      .padStart(12, '0')
  const taskOf = (time: number) => BigInt(`0x${hexOf(time)}${'0'.repeat(20)}`).toString()
  return [
    ...PREFIXES.map((prefix): [string, string] => [prefix + hexOf(from), prefix + hexOf(until)]),
    [taskOf(from), taskOf(until)],
  ]
}

const WITH_PREFIX = new RegExp(`^(?:${PREFIXES.join('|')})([0-9a-f]{32})$`)
const TASK_ID = /^[1-9]\d{36,38}$/
