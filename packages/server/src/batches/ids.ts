/** An id in the vendor's format. Ids increase over time, so that lists can be sorted by them, and cannot be guessed. */
export const newId = (prefix: 'file-' | 'batch_' | 'msgbatch_' | 'gbatch_' | 'background_' | 'video_') =>
  prefix + Bun.randomUUIDv7().replaceAll('-', '')

/** Digits only, as in midjourney-proxy: programs extract them from texts by that. */
export const newTaskId = () => BigInt(`0x${Bun.randomUUIDv7().replaceAll('-', '')}`).toString()
