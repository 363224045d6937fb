import { failureOf, VendorError } from '../failure.ts'
import type { Access } from '../upstream-request.ts'

export interface SparkVersion {
  path: string
  domain: string
  /** Whether it supports functions. */
  functions: boolean
  /** Maximum output tokens. */
  outputMax: number
}

/** Each version of Spark has its own address and domain. */
const VERSIONS = new Map<string, SparkVersion>([
  ['v1.1', { path: '/v1.1/chat', domain: 'lite', functions: false, outputMax: 4096 }],
  ['v2.1', { path: '/v2.1/chat', domain: 'generalv2', functions: false, outputMax: 2048 }],
  ['v3.1', { path: '/v3.1/chat', domain: 'generalv3', functions: true, outputMax: 8192 }],
  ['v3.1-128k', { path: '/chat/pro-128k', domain: 'pro-128k', functions: true, outputMax: 4096 }],
  ['v3.5', { path: '/v3.5/chat', domain: 'generalv3.5', functions: true, outputMax: 8192 }],
  ['v3.5-32k', { path: '/chat/max-32k', domain: 'max-32k', functions: true, outputMax: 8192 }],
  ['v4.0', { path: '/v4.0/chat', domain: '4.0Ultra', functions: true, outputMax: 8192 }],
  ['x1', { path: '/v1/x1', domain: 'x1', functions: false, outputMax: 32768 }],
])

/** Product names, and those of iFlytek's HTTP API. */
const MODELS = new Map<string, string>([
  ['spark-lite', 'v1.1'],
  ['spark-pro', 'v3.1'],
  ['spark-pro-128k', 'v3.1-128k'],
  ['spark-max', 'v3.5'],
  ['spark-max-32k', 'v3.5-32k'],
  ['spark-4.0-ultra', 'v4.0'],
  ['spark-x1', 'x1'],
  ['lite', 'v1.1'],
  ['generalv3', 'v3.1'],
  ['pro-128k', 'v3.1-128k'],
  ['generalv3.5', 'v3.5'],
  ['max-32k', 'v3.5-32k'],
  ['4.0ultra', 'v4.0'],
])

/** By the model's name, by the version after its first dash (`SparkDesk-v3.5`), or by the channel's setting. */
export function versionOf(model: string, { config, other }: Access): SparkVersion {
  const name = model.toLowerCase()
  const named = MODELS.get(name) ?? name.slice(name.indexOf('-') + 1)
  const set = (config.api_version || other).toLowerCase()
  const version = VERSIONS.get(named) ?? VERSIONS.get(set) ?? (name === 'sparkdesk' ? VERSIONS.get('v1.1') : undefined)
  if (version !== undefined) return version
  throw new VendorError(
    failureOf('client', `Spark has no model '${model}'`, { status: 404, code: 'model_not_found', param: 'model' }),
  )
}
