import { outputTokens, type Usage } from '@tollgate/providers'
import { tokensOfBytes } from './response-text.ts'

/**
 * Usage is final when nothing was written after it. Some vendors send an early count and none later: such usage is accepted only if it
 * covers everything delivered.
 */
export const isFinalReport = (usage: Usage, written: { bytes: number; reportedAt: number }) =>
  written.bytes === written.reportedAt || outputTokens(usage) >= tokensOfBytes(written.bytes)
