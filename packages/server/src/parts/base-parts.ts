import { createAuditService } from '../audit/audit-service.ts'
import { createLedger } from '../ledger/ledger.ts'
import { createLimiter } from '../limits/limiter.ts'
import { createRedisWindows } from '../limits/redis-windows.ts'
import { createLogsService } from '../logs/logs-service.ts'
import { quotaText } from '../logs/quota-text.ts'
import { createOptionsService } from '../options/options-service.ts'
import { createRecorder } from '../recordings/recorder.ts'
import { createRecordingsService } from '../recordings/recordings-service.ts'
import { createCheckedHosts } from '../upstream/checked-hosts.ts'
import { createHttp } from '../upstream/http.ts'
import { createSockets } from '../upstream/sockets.ts'
import { createAccountsService } from '../users/accounts-service.ts'
import type { PartsNeeds } from './parts-needs.ts'

export type BaseParts = ReturnType<typeof buildBase>

/** What all other services build on: settings, balances, outgoing requests, and the record of what happened. */
export const buildBase = ({ config, db, clock, vault, log, redis }: PartsNeeds) => {
  const hosts = createCheckedHosts()
  const http = createHttp({ hosts })
  const audit = createAuditService({ db, clock })
  const accounts = createAccountsService({ db })
  const options = createOptionsService({ db, clock, vault, audit, log, accounts })
  const recorder = createRecorder({ db, clock, vault, log, bounds: () => options.values() })
  const recordings = createRecordingsService({
    ...{ db, clock, vault, audit },
    isEnabled: () => options.values().RecordingEnabled,
    flush: recorder.flush,
  })
  return {
    ownAddress: `http://localhost:${config.port}`,
    limiter: createLimiter(clock, redis && createRedisWindows(redis)),
    ledger: createLedger(clock),
    ...{ hosts, http, sockets: createSockets({ hosts }), outside: { http, addresses: config.outside } },
    ...{ audit, accounts, options, recorder, recordings },
    logs: createLogsService({ db, clock, audit, log, recordings }),
    amountText(quota: number) {
      const { DisplayInCurrencyEnabled: inCurrency, QuotaPerUnit: perUnit } = options.values()
      return quotaText(quota, { inCurrency, perUnit })
    },
  }
}
