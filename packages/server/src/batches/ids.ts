/** An id as the vendor's own look. Ids grow with time, so that a list is in their order; nobody can guess one. */
export const newId = (prefix: 'file-' | 'batch_' | 'msgbatch_' | 'background_' | 'video_') =>
  prefix + Bun.randomUUIDv7().replaceAll('-', '')

/** The same in digits alone, as midjourney-proxy's are: programs take them apart from what follows. */
export const newTaskId = () => BigInt(`0x${Bun.randomUUIDv7().replaceAll('-', '')}`).toString()
