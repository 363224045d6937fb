import type { Db } from '../database/client.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { RateLimiting } from '../relay/rate-limits/rate-limits.ts'
import type { ChooseChannel } from './choose-channel.ts'
import type { FollowBatch } from './follow-batch.ts'
import type { StartBatch } from './start-batch.ts'
import type { VendorCall } from './vendor-call.ts'

/** What every service needs that starts asynchronous work at a vendor and follows it. */
export interface BatchNeeds {
  db: Db
  options: OptionsService
  rateLimiting: RateLimiting
  chooseChannel: ChooseChannel
  startBatch: StartBatch
  followBatch: FollowBatch
  vendorCall: VendorCall
}
