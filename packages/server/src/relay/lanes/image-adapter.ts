import { failureOf, type ImageRequest, type ImagesAdapter, VendorError } from '@tollgate/providers'
import type { Route } from '../../catalog/snapshot.ts'
import type { Http } from '../../upstream/http.ts'
import { upstreamModel } from '../answer.ts'
import type { Call, RoutedCall } from '../surfaces/call.ts'
import { membersOf, notText } from '../surfaces/call-members.ts'
import { fetchContent, isChannelHost } from './inline-content.ts'
import type { OperationAdapter } from './operation-adapter.ts'

/** Images, in OpenAI's format. */
export const imageAdapter: OperationAdapter = {
  suits: (call, route) => adapterOf(call, route) !== undefined,

  async encode(call, { route, access, context, model }) {
    const pictures = call.form === undefined ? [] : await picturesIn(call.form)
    const { prompt, n, model: _, size, response_format: __, ...extra } = membersOf(call)
    if (typeof prompt !== 'string') throw notText('prompt')
    if (call.stream)
      throw new VendorError(
        failureOf('client', 'This channel does not stream pictures', { status: 400, param: 'stream' }),
      )
    const request: ImageRequest = {
      ...{ model, prompt, n: typeof n === 'number' ? n : 1, extra },
      ...(typeof size === 'string' ? { size } : {}),
      ...(pictures.length === 0 ? {} : { pictures }),
    }
    return offered(call, route).encode(request, access, context)
  },

  task: ({ provider }) => provider?.images?.task,

  async show(call, route, body, { http, clock }) {
    const { images, usage } = offered(call, route).decode(body)
    if (images.length === 0) throw new VendorError(failureOf('server', 'The upstream returned no image'))
    const inline = membersOf(call).response_format === 'b64_json'
    const data = await Promise.all(images.map((image) => (inline ? packed(image, route, http) : image)))
    const shown = data.map(({ url, b64, revisedPrompt }) => ({
      ...(url === undefined ? {} : { url }),
      ...(b64 === undefined ? {} : { b64_json: b64 }),
      ...(revisedPrompt === undefined ? {} : { revised_prompt: revisedPrompt }),
    }))
    return { shown: { created: Math.floor(clock.now() / 1000), data: shown }, usage }
  },
}

function adapterOf(call: RoutedCall, route: Route): ImagesAdapter | undefined {
  const images = route.provider?.images
  if (call.operation.name === 'images/generations') return images
  return images?.edits?.(upstreamModel(call, route)) ? images : undefined
}

function offered(call: Call, route: Route): ImagesAdapter {
  const adapter = adapterOf(call, route)
  if (adapter === undefined) throw new VendorError(failureOf('client', 'This channel does not offer such pictures'))
  return adapter
}

async function picturesIn(form: FormData) {
  const files = [...form.getAll('image'), ...form.getAll('image[]')].filter((value) => typeof value !== 'string')
  if (files.length === 0)
    throw new VendorError(failureOf('client', 'image must be a file', { status: 400, param: 'image' }))
  if (form.has('mask'))
    throw new VendorError(failureOf('client', "This channel does not support 'mask'", { status: 400, param: 'mask' }))
  return Promise.all(
    files.map(async (file) => ({
      mimeType: file.type || 'image/png',
      base64: Buffer.from(await file.arrayBuffer()).toString('base64'),
    })),
  )
}

type Picture = ReturnType<ImagesAdapter['decode']>['images'][number]

/** Replaces an image's URL by its data. If it cannot be fetched the URL stays, since it was paid for. */
async function packed(image: Picture, route: Route, http: Http): Promise<Picture> {
  const { url, ...rest } = image
  if (url === undefined || image.b64 !== undefined) return image
  const content = await fetchContent(url, http, { policy: isChannelHost(url, route) ? 'admin' : 'user' }).catch(
    () => undefined,
  )
  return content === undefined ? image : { ...rest, b64: content.base64 }
}
