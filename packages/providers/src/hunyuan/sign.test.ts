import { expect, test } from 'bun:test'
import { createHash, createHmac } from 'node:crypto'
import { tc3Authorization } from './sign.ts'

/** The example of Tencent's documentation of signature v3; its asterisks are part of the secret. */
const DOCUMENTED = {
  secretId: 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3*******',
  secretKey: 'Gu5t9xGARNpq86cd98joQYCN3*******',
  service: 'cvm',
  host: 'cvm.tencentcloudapi.com',
  action: 'DescribeInstances',
  contentType: 'application/json; charset=utf-8',
  payload: '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}',
  timestampSec: 1551113065,
}

test('the signature matches the one that Tencent publishes for its example', async () => {
  expect(await tc3Authorization(DOCUMENTED)).toBe(
    'TC3-HMAC-SHA256 Credential=AKIDz8krbsJ5yKBZQpn74WFkmLPx3*******/2019-02-25/cvm/tc3_request, ' +
      'SignedHeaders=content-type;host;x-tc-action, ' +
      'Signature=be4f67d323c78ab9acb7395e43c0dbcf822a9cfac32fea2449a7bc7726b770a3',
  )
})

test('any request is signed as the specification says', async () => {
  const request = {
    ...DOCUMENTED,
    service: 'hunyuan',
    host: 'hunyuan.tencentcloudapi.com',
    action: 'ChatCompletions',
    payload: JSON.stringify({ Model: 'hunyuan-lite', Messages: [{ Role: 'user', Content: '你好' }] }),
    timestampSec: 1_767_225_599, // the last second of a year: the date must be in UTC
  }
  const { secretKey, payload } = request
  const digest = (text: string) => createHash('sha256').update(text).digest('hex')
  const canonicalRequest =
    'POST\n/\n\n' +
    'content-type:application/json; charset=utf-8\nhost:hunyuan.tencentcloudapi.com\nx-tc-action:chatcompletions\n\n' +
    `content-type;host;x-tc-action\n${digest(payload)}`
  const stringToSign = `TC3-HMAC-SHA256\n1767225599\n2025-12-31/hunyuan/tc3_request\n${digest(canonicalRequest)}`
  const key = ['2025-12-31', 'hunyuan', 'tc3_request'].reduce<Buffer>(
    (secret, text) => createHmac('sha256', secret).update(text).digest(),
    Buffer.from(`TC3${secretKey}`),
  )
  const signature = createHmac('sha256', key).update(stringToSign).digest('hex')
  expect(await tc3Authorization(request)).toEndWith(`Signature=${signature}`)
})
