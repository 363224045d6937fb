import { GatewayError } from './errors.ts'

/** The largest body that a call may have. */
export const CALL_BODY_MAX = 32 * 1024 * 1024

/** The body of a request, read up to a limit, whether or not its length was announced. */
export const boundedBody = (request: Request, maxBytes = CALL_BODY_MAX): Request | Response => {
  const announced = request.headers.get('content-length')
  if (Number(announced ?? 0) > maxBytes) throw new GatewayError('input.too_large')
  // One whose length was announced has no more than that.
  if (announced !== null || request.body === null) return request
  const type = request.headers.get('content-type')
  return new Response(upTo(request.body, maxBytes), type === null ? {} : { headers: { 'content-type': type } })
}

function upTo(body: ReadableStream<Uint8Array<ArrayBuffer>>, maxBytes: number) {
  let size = 0
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      size += chunk.byteLength
      if (size > maxBytes) throw new GatewayError('input.too_large')
      controller.enqueue(chunk)
    },
  })
  return body.pipeThrough(counting)
}
