import { outputTokens, type Usage } from '@tollgate/providers'
import { tokensOfBytes } from './response-text.ts'

/**
 * A report is final where nothing was written after it. Some vendors send a first count early and none later: such a
 * report stands only if it covers all that was delivered.
 */
export const isFinalReport = (usage: Usage, written: { bytes: number; reportedAt: number }) =>
  written.bytes === written.reportedAt || outputTokens(usage) >= tokensOfBytes(written.bytes)
