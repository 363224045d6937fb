import {
  ALERT_METHODS,
  type AlertDestination,
  type AlertMethod,
  AlertMethodName,
  type AlertOwner,
  type alerts,
  type Received,
  Role,
} from '@tollgate/contract'
import type { AuditService, By } from '../audit/audit-service.ts'
import type { Actor } from '../common/actor.ts'
import { isZone } from '../common/calendar.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import { type Db, transact } from '../database/client.ts'
import type { Vault } from '../security/vault.ts'
import type { CheckedHosts } from '../upstream/checked-hosts.ts'
import { alertDeliveriesRepository } from './alert-deliveries-repository.ts'
import { alertDestinationsRepository, type StoredDestination } from './alert-destinations-repository.ts'
import { destinationIds } from './alert-evaluation.ts'
import { GONE } from './alert-outbox.ts'
import { alertRulesRepository } from './alert-rules-repository.ts'
import { hintOf, openTarget, refuseTarget, sealTarget } from './alert-target.ts'
import { testMessage } from './alert-texts.ts'
import { isVisible, ownerIdOf } from './alerts-service.ts'
import type { Target } from './notifiers/notifier.ts'
import { refusePrivate } from './refuse-private.ts'
import type { SendAlert } from './send-alert.ts'

export type AlertDestinationsService = ReturnType<typeof createAlertDestinationsService>

interface Needs {
  db: Db
  clock: Clock
  audit: AuditService
  vault: Vault
  send: SendAlert
  hosts: CheckedHosts
  site(): { name: string; address: string }
}

type Creation = Received<typeof alerts.createDestination>['body']
type Edit = Received<typeof alerts.updateDestination>['body']

const DESTINATIONS_MAX = 50

/** Where messages are sent. Addresses and secrets are write-only. */
export const createAlertDestinationsService = ({ db, clock, audit, vault, send, hosts, site }: Needs) => {
  const own = async (actor: Actor, id: number) => {
    const row = await alertDestinationsRepository(db).find(id)
    if (row === undefined || !isVisible(actor, row.owner_id)) throw new GatewayError('alert.no_destination')
    return row
  }

  const seal = (row: Pick<StoredDestination, 'id' | 'owner_id' | 'way'>, target: Target) => ({
    target_sealed: sealTarget(vault, row, target),
    address_hint: target.address === '' ? '' : hintOf(AlertMethodName.parse(row.way), target.address),
    has_secret: target.secret === '' ? (0 as const) : (1 as const),
  })

  /** An address that no message would be sent to is refused when it is entered, not when it is needed. */
  const refuseUnreachable = async (way: AlertMethod, { address }: Target, privateAllowed: boolean) => {
    if (ALERT_METHODS[way].address === 'url') await refusePrivate(hosts, address, privateAllowed)
  }

  return {
    list: async (actor: Actor, owner: AlertOwner) =>
      (await alertDestinationsRepository(db).all(ownerIdOf(actor, owner))).map(toWire),

    async create(by: By, { owner, way, address, secret, ...fields }: Creation) {
      const ownerId = ownerIdOf(by.actor, owner)
      const target = { address, secret }
      refuseFields(by.actor, fields)
      refuseForOwner(ownerId, way, target)
      await refuseUnreachable(way, target, fields.private_allowed)
      return transact(db, async (tx) => {
        const repository = alertDestinationsRepository(tx)
        if ((await repository.count(ownerId)) >= DESTINATIONS_MAX) {
          throw new GatewayError('alert.too_many', { max: DESTINATIONS_MAX })
        }
        const nothing = { target_sealed: '', address_hint: '', has_secret: 0 as const }
        const columns = { owner_id: ownerId, way, ...columnsOf(fields), created_time: seconds(clock) }
        const row = await repository.insert({ ...columns, ...nothing })
        const sealed = await repository.update(row.id, seal(row, target))
        const after = { owner, way, ...facts(sealed) }
        await audit.record(tx, by, { action: 'alert_destination.create', target: `alert_destination:${row.id}`, after })
        return row.id
      })
    },

    async update(by: By, { id, address, secret, ...fields }: Edit) {
      const before = await own(by.actor, id)
      const isMoved = address !== '' || secret !== ''
      // A secret belongs to the address it was entered for: a new address needs it again.
      const target = isMoved && address === '' ? { ...openTarget(vault, before), secret } : { address, secret }
      const { zone = before.zone, private_allowed = before.private_allowed === 1 } = fields
      refuseFields(by.actor, { zone, private_allowed }, isMoved ? undefined : before)
      if (isMoved) {
        const way = AlertMethodName.parse(before.way)
        refuseForOwner(before.owner_id, way, target)
        await refuseUnreachable(way, target, private_allowed)
      }
      const after = await transact(db, async (tx) => {
        const columns = { ...editedColumns(before, fields), ...(isMoved && seal(before, target)) }
        const row = await alertDestinationsRepository(tx).update(id, columns)
        const change = { before: facts(before), after: { ...facts(row), ...(isMoved && { moved: true }) } }
        await audit.record(tx, by, { action: 'alert_destination.update', target: `alert_destination:${id}`, ...change })
        return row
      })
      return toWire(after)
    },

    async remove(by: By, id: number) {
      const before = await own(by.actor, id)
      await transact(db, async (tx) => {
        await alertDestinationsRepository(tx).remove(id)
        await alertDeliveriesRepository(tx).giveUp(id, GONE)
        const rules = alertRulesRepository(tx)
        for (const rule of await rules.all(before.owner_id)) {
          const ids = destinationIds(rule)
          if (!ids.includes(id)) continue
          await rules.update(rule.id, { destinations: JSON.stringify(ids.filter((each) => each !== id)) })
        }
        const change = { action: 'alert_destination.remove', target: `alert_destination:${id}`, before: facts(before) }
        await audit.record(tx, by, change)
      })
    },

    /** Sends a test message now, once, and returns the outcome. */
    async test(actor: Actor, id: number) {
      const destination = await own(actor, id)
      const now = seconds(clock)
      const message = testMessage({ ...site(), now }, destination)
      const deliveries = alertDeliveriesRepository(db)
      const delivery = await deliveries.insert({
        ...{ owner_id: destination.owner_id, rule_id: 0, destination_id: id, kind: '', title: message.title },
        ...{ way: destination.way, destination_name: destination.name, message: JSON.stringify(message) },
        ...{ state: 'failed', attempts: 1, created_time: now, tried_at: now, next_at: 0, error: '' },
      })
      const refusal = await send(destination, message, delivery.id)
      const error = refusal?.error ?? ''
      await deliveries.update(delivery.id, { state: refusal === undefined ? 'sent' : 'failed', error })
      return { sent: refusal === undefined, error }
    },
  }
}

const toWire = ({ owner_id, target_sealed: _, ...row }: StoredDestination): AlertDestination => ({
  ...row,
  owner: owner_id === 0 ? 'gateway' : 'own',
  way: AlertMethodName.parse(row.way),
  has_secret: row.has_secret === 1,
  private_allowed: row.private_allowed === 1,
  language: row.language === 'en' ? 'en' : 'zh',
})

type Fields = Omit<Creation, 'owner' | 'way' | 'address' | 'secret'>

/** `kept`: the row whose address is unchanged; root's permission for it is kept. */
function refuseFields(
  actor: Actor,
  { zone, private_allowed }: Pick<Fields, 'zone' | 'private_allowed'>,
  kept?: StoredDestination,
) {
  if (!isZone(zone)) throw new GatewayError('alert.bad_zone', { zone, field: 'zone' })
  if (private_allowed && actor.role < Role.root && kept?.private_allowed !== 1) {
    throw new GatewayError('alert.root_allows_private', { field: 'private_allowed' })
  }
}

/** A user's mail goes to the account's own mailbox, so that nobody can send mail to strangers. */
function refuseForOwner(ownerId: number, way: AlertMethod, target: Target) {
  if (way !== 'email' || ownerId === 0) return refuseTarget(way, target)
  if (target.address !== '') throw new GatewayError('alert.own_mailbox', { field: 'address' })
  if (target.secret !== '') throw new GatewayError('alert.no_secret', { field: 'secret' })
}

const columnsOf = ({ private_allowed, ...others }: Fields) => ({ ...others, private_allowed: asFlag(private_allowed) })

/** With the way, which stays: an edit without any change is a statement, too. */
const editedColumns = (
  { way }: StoredDestination,
  { private_allowed, ...others }: Omit<Edit, 'id' | 'address' | 'secret'>,
) => ({
  ...{ way, ...others },
  ...(private_allowed !== undefined && { private_allowed: asFlag(private_allowed) }),
})

const asFlag = (allowed: boolean) => (allowed ? (1 as const) : (0 as const))

/** What the audit log may contain. */
function facts({ name, address_hint, has_secret, private_allowed, language, zone }: StoredDestination) {
  return { name, address_hint, has_secret: has_secret === 1, private_allowed: private_allowed === 1, language, zone }
}
