import { createAlertDestinationsService } from '../alerts/alert-destinations-service.ts'
import { createEvaluation } from '../alerts/alert-evaluation.ts'
import { createOutbox } from '../alerts/alert-outbox.ts'
import { createAlertsJob } from '../alerts/alerts-job.ts'
import { createAlertsService } from '../alerts/alerts-service.ts'
import { createConditions } from '../alerts/conditions/conditions.ts'
import { createSendAlert } from '../alerts/send-alert.ts'
import type { Attention } from '../channels/channel-attention.ts'
import type { AccountParts } from './account-parts.ts'
import type { BaseParts } from './base-parts.ts'
import type { ChannelParts } from './channel-parts.ts'
import type { PartsNeeds } from './parts-needs.ts'

type Needs = PartsNeeds & BaseParts & AccountParts & ChannelParts & { attention: Attention }

/** Alerts: their conditions, destinations and deliveries. */
export const buildAlerts = (needs: Needs) => {
  const { db, clock, vault, log, ownAddress, hosts, outside, audit, accounts, options, amountText, mail } = needs
  const { channels, budgets, attention } = needs
  const site = () => {
    const { SystemName: name, ServerAddress } = options.values()
    return { name, address: ServerAddress || ownAddress }
  }
  const send = createSendAlert({ ...outside, mail, accounts, options, vault, clock })
  const conditions = createConditions({ db, channels, attention, budgets, audit, amountText })
  const job = createAlertsJob({
    clock,
    options,
    evaluate: createEvaluation({ db, conditions, site, clock, log }),
    sendDue: createOutbox({ db, send, clock, log }),
  })
  return {
    alerts: createAlertsService({ db, clock, audit, wake: job.wake }),
    destinations: createAlertDestinationsService({ db, clock, audit, vault, send, hosts, site }),
    job,
  }
}
