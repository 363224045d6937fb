import { CHANNEL_TYPES, ENDPOINTS, type EndpointShape, Envelope } from '@tollgate/contract'
import { z } from 'zod'
import { VERSION } from '../common/version.ts'

/** The contract as an OpenAPI 3.1 document: the same objects that the server validates with. */
export const openApiDocument = () => ({
  openapi: '3.1.0',
  info: {
    title: 'Tollgate management API',
    version: VERSION,
    description:
      'Every answer is an envelope of success, message and data. A refusal has success = false and says why in message. Paths are served with and without a trailing slash.',
  },
  components: {
    securitySchemes: {
      session: { type: 'apiKey', in: 'cookie', name: 'session' },
      accessToken: { type: 'http', scheme: 'bearer' },
    },
    schemas: {
      Refusal: jsonSchema(Envelope, 'output'),
      ChannelType: {
        type: 'integer',
        enum: CHANNEL_TYPES.map(({ value }) => value),
        description: CHANNEL_TYPES.map(({ value, label }) => `${value} ${label.en}`).join('; '),
      },
    },
  },
  paths: paths(),
})

function paths() {
  const byPath = new Map<string, Record<string, unknown>>()
  for (const { name, noun, endpoint } of ENDPOINTS) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    const operations = byPath.get(path) ?? {}
    operations[endpoint.method.toLowerCase()] = operation(name, noun, endpoint)
    byPath.set(path, operations)
  }
  return Object.fromEntries(byPath)
}

function operation(name: string, noun: string, endpoint: EndpointShape) {
  const { access, summary, body } = endpoint
  return {
    operationId: name.replace('.', '_'),
    tags: [noun],
    summary: summary.en,
    description: `${summary.zh}\n\nAccess: ${access}.`,
    security: access === 'public' ? [] : [{ session: [] }, { accessToken: [] }],
    parameters: [
      ...parameters('path', endpoint.params),
      ...parameters('query', endpoint.query),
      ...idempotencyKey(endpoint),
    ],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(body, 'input') } } } }),
    responses: {
      200: { description: 'Success, or a refusal', content: content(endpoint) },
      ...(access === 'public' ? {} : { 401: refusal('Not signed in') }),
      400: refusal('The request is malformed'),
      403: refusal('Sent by a page of another site, or a sign-in that is no longer valid'),
      ...(body === undefined ? {} : { 413: refusal('The body is too large') }),
      ...(endpoint.idempotent ? { 409: refusal('The first request with this key has no answer yet') } : {}),
      ...(endpoint.idempotent ? { 422: refusal('The key was used with another body') } : {}),
      429: refusal('Too many requests'),
    },
  }
}

function parameters(place: 'path' | 'query', schema: z.ZodObject | undefined) {
  if (schema === undefined) return []
  return Object.entries(schema.shape).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path',
    schema: jsonSchema(field as z.ZodType, 'input'),
  }))
}

function idempotencyKey({ idempotent }: EndpointShape) {
  if (!idempotent) return []
  const description =
    'Sent again with the same key within 24 hours, the call makes nothing more and answers as before, with the header Idempotent-Replayed: true.'
  return [
    { name: 'Idempotency-Key', in: 'header', required: false, description, schema: { type: 'string', maxLength: 255 } },
  ]
}

function content(endpoint: EndpointShape) {
  const refused = { schema: { $ref: '#/components/schemas/Refusal' } }
  if (endpoint.events) {
    return {
      'text/event-stream': { schema: jsonSchema(endpoint.data ?? z.never(), 'output') },
      'application/json': refused,
    }
  }
  if (!endpoint.file) return { 'application/json': { schema: answer(endpoint) } }
  const text = { schema: { type: 'string' } }
  return { 'text/csv': text, 'application/x-ndjson': text, 'application/json': refused }
}

function answer({ data, extra, paged }: EndpointShape) {
  const extraMembers = extra === undefined ? {} : jsonSchema(extra, 'output').properties
  return {
    oneOf: [
      {
        type: 'object',
        required: ['success', 'message'],
        properties: {
          success: { const: true },
          message: { type: 'string' },
          ...(data === undefined ? {} : { data: jsonSchema(data, 'output') }),
          ...extraMembers,
        },
        ...(paged
          ? {
              description:
                'The header X-Total-Count carries the number of all rows; with X-Total-More: true there are more than that.',
            }
          : {}),
      },
      { $ref: '#/components/schemas/Refusal' },
    ],
  }
}

function refusal(description: string) {
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } } }
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
