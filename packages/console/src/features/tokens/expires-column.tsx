import { NEVER_EXPIRES } from '@tollgate/contract'
import type { Words } from '../../text/words.ts'
import type { zh } from '../../text/zh/tokens.ts'
import { TimeText } from '../../ui/display/time-text.tsx'

export const expiresColumn = (text: Words<typeof zh>) => ({
  key: 'expires',
  title: text.expires,
  render: ({ expired_time }: { expired_time: number }) =>
    expired_time === NEVER_EXPIRES ? text.never : <TimeText seconds={expired_time} otherwise={text.never} />,
})
