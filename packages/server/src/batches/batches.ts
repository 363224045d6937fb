import type { Text } from '@tollgate/contract'
import type { ActiveBudgets } from '../budgets/active-budgets.ts'
import type { CatalogService } from '../catalog/catalog-service.ts'
import type { Log } from '../common/log.ts'
import type { Db } from '../database/client.ts'
import type { CallLedger } from '../ledger/call-ledger.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { Keys } from '../relay/caller/keys.ts'
import type { RateLimiting } from '../relay/rate-limits/rate-limits.ts'
import type { RequestContext } from '../relay/request-context.ts'
import { isMidjourneyPath } from '../relay/surfaces/api-family.ts'
import type { Watchdog } from '../relay/timeouts/watchdog.ts'
import type { TokensService } from '../tokens/tokens-service.ts'
import type { Health } from '../upstream/health.ts'
import type { KeyPools } from '../upstream/key-pools.ts'
import type { AttemptNeeds, Upstream } from '../upstream/open.ts'
import { createBackgroundResponses } from './background-responses.ts'
import { createBatchSurface } from './batch-surface.ts'
import { createBatchesJob } from './batches-job.ts'
import { createBatchesService } from './batches-service.ts'
import { createChooseChannel } from './choose-channel.ts'
import { createFilesService } from './files-service.ts'
import { createFollowBatch } from './follow-batch.ts'
import { createGoogleBatchSurface } from './google-batch-surface.ts'
import { createGoogleBatches } from './google-batches.ts'
import { createGoogleFiles } from './google-files.ts'
import { createGoogleFilesSurface } from './google-files-surface.ts'
import { createGoogleUploads } from './google-uploads.ts'
import { createMidjourneyService } from './midjourney-service.ts'
import { createMidjourneySurface } from './midjourney-surface.ts'
import { createRefuseUncovered } from './refuse-uncovered.ts'
import { type Charging, createSettleBatch } from './settle-batch.ts'
import { createStartBatch } from './start-batch.ts'
import { createVendorCall } from './vendor-call.ts'
import { createVideosService } from './videos-service.ts'

interface Needs extends AttemptNeeds {
  db: Db
  keys: Keys
  catalog: CatalogService
  options: OptionsService
  ledger: CallLedger
  budgets: ActiveBudgets
  rateLimiting: RateLimiting
  upstream: Upstream
  watchdog: Watchdog
  health: Health
  keyPools: KeyPools
  charging: Charging
  tokens: Pick<TokensService, 'balances'>
  amountText(quota: number): Text
  log: Log
}

/** Asynchronous work at vendors: its endpoints, background responses, and the job that polls it. */
export const createBatches = (needs: Needs) => {
  const { db, catalog, clock } = needs
  const vendorCall = createVendorCall(needs)
  const chooseChannel = createChooseChannel(needs)
  const settleBatch = createSettleBatch(needs)
  const followBatch = createFollowBatch({ ...needs, vendorCall, settleBatch })
  const googleFiles = createGoogleFiles({ db, vendorCall, clock })
  const { removeExpired } = googleFiles
  const { job, wake } = createBatchesJob({ db, catalog, clock, followBatch, removeExpired })
  const startBatch = createStartBatch({ ...needs, vendorCall, settleBatch, followBatch, onStart: wake })
  const refuseUncovered = createRefuseUncovered(needs)
  const files = createFilesService({ ...needs, vendorCall, chooseChannel, refuseUncovered })
  const parts = { ...needs, vendorCall, chooseChannel, startBatch, followBatch }
  const batches = createBatchesService({ ...parts, files })
  const batchSurface = createBatchSurface({ ...needs, files, batches, videos: createVideosService(parts) })
  const midjourneySurface = createMidjourneySurface({ ...needs, midjourney: createMidjourneyService(parts) })
  const googleSurface = createGoogleBatchSurface({ ...needs, google: createGoogleBatches({ ...parts, batches }) })
  const googleFilesSurface = createGoogleFilesSurface({
    ...{ ...needs, files: googleFiles },
    uploads: createGoogleUploads({ ...needs, vendorCall, refuseUncovered }),
  })
  return {
    surface: async (request: Request, context: RequestContext, path: string) =>
      isMidjourneyPath(path)
        ? midjourneySurface(request, context, path)
        : ((await googleSurface(request, context, path)) ??
          (await googleFilesSurface(request, context, path)) ??
          batchSurface(request, context, path)),
    filesOf: googleFiles.filesOf,
    background: createBackgroundResponses(parts),
    job,
  }
}
