import type { RateLimit, RateLimits } from '@tollgate/contract'
import type { Words } from '../../text/words.ts'
import type { zh } from '../../text/zh/limits.ts'
import { formatNumber } from './numbers.ts'

/** All of them, with those of each model. */
export const limitsInWords = ({ models = {}, ...limits }: RateLimits, text: Words<typeof zh>) =>
  [
    ...amountsInWords(limits, text),
    ...Object.entries(models).map(([model, limit]) => text.inModel(model, amountsInWords(limit, text).join(' · '))),
  ].join(' · ')

export const amountsInWords = ({ rpm, tpm, concurrency }: RateLimit, text: Words<typeof zh>) =>
  [
    rpm === undefined ? [] : text.rpmShort(formatNumber(rpm)),
    tpm === undefined ? [] : text.tpmShort(formatNumber(tpm)),
    concurrency === undefined ? [] : text.concurrencyShort(formatNumber(concurrency)),
  ].flat()
