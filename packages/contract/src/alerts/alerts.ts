import { z } from 'zod'
import { endpoint } from '../api/endpoint.ts'
import { byId, id, line, page } from '../api/fields.ts'
import { QUOTA_MAX } from '../quota.ts'
import { ALERT_KIND_NAMES, ALERT_METHOD_NAMES } from './alert-kinds.ts'

/** Who owns the rule, destination or delivery; administrators manage those of the gateway. */
export const AlertOwner = z.enum(['gateway', 'own'])
export const AlertKindName = z.enum(ALERT_KIND_NAMES)
export const AlertMethodName = z.enum(ALERT_METHOD_NAMES)
export const AlertDeliveryState = z.enum(['pending', 'sent', 'failed'])

export type AlertOwner = z.infer<typeof AlertOwner>
export type AlertDeliveryState = z.infer<typeof AlertDeliveryState>

export const AlertRule = z.object({
  id: z.int(),
  owner: AlertOwner,
  kind: AlertKindName,
  /** In the unit of the rule's kind. */
  threshold: z.number(),
  minimum: z.int(),
  /** How long the rule stays silent about the same subject after firing. */
  quiet_minutes: z.int(),
  enabled: z.boolean(),
  /** The ids of the destinations to notify. */
  destinations: z.array(z.int()),
  created_time: z.int(),
  /** How many subjects are firing now. */
  firing: z.int(),
  /** The newest of them. */
  firing_now: z.array(z.object({ title: z.object({ zh: z.string(), en: z.string() }), since: z.int() })),
})

export const AlertDestination = z.object({
  id: z.int(),
  owner: AlertOwner,
  way: AlertMethodName,
  name: z.string(),
  /** Enough of the address to distinguish destinations. */
  address_hint: z.string(),
  has_secret: z.boolean(),
  /** Root allows the address to be in a private network. */
  private_allowed: z.boolean(),
  language: z.enum(['zh', 'en']),
  /** The IANA time zone used for times in messages. */
  zone: z.string(),
  created_time: z.int(),
})

export const AlertDelivery = z.object({
  id: z.int(),
  /** Empty for a test. */
  kind: z.union([AlertKindName, z.literal('')]),
  title: z.string(),
  way: AlertMethodName,
  destination_name: z.string(),
  state: AlertDeliveryState,
  attempts: z.int(),
  created_time: z.int(),
  /** The last attempt and the next one; 0 for never. */
  tried_at: z.int(),
  next_at: z.int(),
  /** The error of the last attempt; empty when it was accepted. */
  error: z.string(),
})

export type AlertRule = z.infer<typeof AlertRule>
export type AlertDestination = z.infer<typeof AlertDestination>
export type AlertDelivery = z.infer<typeof AlertDelivery>

const rule = z.strictObject({
  threshold: z.number().min(0).max(QUOTA_MAX),
  minimum: z.int().min(0).max(QUOTA_MAX),
  quiet_minutes: z.int().min(5).max(43_200),
  enabled: z.boolean(),
  destinations: z.array(id).min(1).max(20),
})

const destination = z.strictObject({
  name: line(50).trim().min(1),
  private_allowed: z.boolean(),
  language: z.enum(['zh', 'en']),
  zone: z.string().max(64),
})

const ofOwner = z.object({ owner: AlertOwner.default('own'), p: page })

export const alerts = {
  listRules: endpoint({
    method: 'GET',
    path: '/api/alert/rule/',
    access: 'user',
    summary: { zh: '告警规则列表', en: 'List alert rules' },
    query: z.object({ owner: AlertOwner.default('own') }),
    data: z.array(AlertRule),
  }),
  createRule: endpoint({
    method: 'POST',
    path: '/api/alert/rule/',
    access: 'user',
    idempotent: true,
    summary: { zh: '新建告警规则', en: 'Create an alert rule' },
    body: rule.extend({
      owner: AlertOwner,
      kind: AlertKindName,
      minimum: rule.shape.minimum.default(0),
      quiet_minutes: rule.shape.quiet_minutes.default(360),
      enabled: rule.shape.enabled.default(true),
    }),
    data: z.int(),
  }),
  updateRule: endpoint({
    method: 'PUT',
    path: '/api/alert/rule/',
    access: 'user',
    summary: { zh: '修改告警规则，未提交的字段保持不变', en: 'Change an alert rule; what is not sent stays' },
    body: rule.partial().extend({ id }),
    data: AlertRule,
  }),
  removeRule: endpoint({
    method: 'DELETE',
    path: '/api/alert/rule/:id',
    access: 'user',
    summary: { zh: '删除告警规则', en: 'Delete an alert rule' },
    params: byId,
  }),
  listDestinations: endpoint({
    method: 'GET',
    path: '/api/alert/destination/',
    access: 'user',
    summary: { zh: '告警通知目标列表', en: 'List alert destinations' },
    query: z.object({ owner: AlertOwner.default('own') }),
    data: z.array(AlertDestination),
  }),
  createDestination: endpoint({
    method: 'POST',
    path: '/api/alert/destination/',
    access: 'user',
    idempotent: true,
    summary: { zh: '新建告警通知目标', en: 'Create an alert destination' },
    body: destination.extend({
      owner: AlertOwner,
      way: AlertMethodName,
      /** Empty for the mailbox of the caller's account. */
      address: line(2000).trim().default(''),
      secret: line(500).trim().default(''),
      private_allowed: destination.shape.private_allowed.default(false),
      language: destination.shape.language.default('zh'),
      zone: destination.shape.zone.default('UTC'),
    }),
    data: z.int(),
  }),
  updateDestination: endpoint({
    method: 'PUT',
    path: '/api/alert/destination/',
    access: 'user',
    summary: {
      zh: '修改告警通知目标，未提交的字段保持不变',
      en: 'Change an alert destination; what is not sent stays',
    },
    body: destination.partial().extend({
      id,
      /** Empty keeps address and secret. A new address needs its secret. */
      address: line(2000).trim().default(''),
      secret: line(500).trim().default(''),
    }),
    data: AlertDestination,
  }),
  removeDestination: endpoint({
    method: 'DELETE',
    path: '/api/alert/destination/:id',
    access: 'user',
    summary: { zh: '删除告警通知目标', en: 'Delete an alert destination' },
    params: byId,
  }),
  testDestination: endpoint({
    method: 'POST',
    path: '/api/alert/destination/test/:id',
    access: 'user',
    limit: 'critical',
    summary: { zh: '发送测试告警', en: 'Send a test alert' },
    params: byId,
    data: z.object({ sent: z.boolean(), error: z.string() }),
  }),
  listDeliveries: endpoint({
    method: 'GET',
    path: '/api/alert/delivery/',
    access: 'user',
    paged: true,
    summary: { zh: '告警发送记录', en: 'List alert deliveries' },
    query: ofOwner.extend({ state: z.enum(['', ...AlertDeliveryState.options]).catch('') }),
    data: z.array(AlertDelivery),
  }),
}
