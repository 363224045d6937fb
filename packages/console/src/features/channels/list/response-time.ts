import type { Channel } from '@tollgate/contract'

export type ResponseColor = 'none' | 'green' | 'olive' | 'yellow' | 'red'

/** Up to one second is green, up to three olive, up to five yellow, above that red; 0 means never tested. */
export function responseColor(milliseconds: number): ResponseColor {
  if (milliseconds === 0) return 'none'
  if (milliseconds <= 1000) return 'green'
  if (milliseconds <= 3000) return 'olive'
  return milliseconds <= 5000 ? 'yellow' : 'red'
}

/** 1234 → `1.23` */
export const secondsText = (milliseconds: number) => (milliseconds / 1000).toFixed(2)

/** A failed test has a time, but no response time. */
export function testStateOf({ test_time, response_time }: Pick<Channel, 'response_time' | 'test_time'>) {
  if (response_time > 0) return 'passed'
  return test_time === 0 ? 'never' : 'failed'
}
