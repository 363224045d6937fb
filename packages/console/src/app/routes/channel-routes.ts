import { createRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { channelSearch } from '../../lib/lists/channel-search.ts'
import { count, listSearch, word } from '../../lib/lists/list-search.ts'
import { adminPage } from '../pages.ts'
import { getParentRoute } from './root-route.ts'

const channels = createRoute({
  getParentRoute,
  path: '/channel',
  validateSearch: channelSearch,
  ...adminPage('channels', () =>
    import('../../features/channels/list/channels-page.tsx').then((file) => file.ChannelsPage),
  ),
})

const channelAdd = createRoute({
  getParentRoute,
  path: '/channel/add',
  ...adminPage('channelAdd', () =>
    import('../../features/channels/form/channel-form-page.tsx').then((file) => file.ChannelAddPage),
  ),
})

const channelEdit = createRoute({
  getParentRoute,
  path: '/channel/edit/$id',
  ...adminPage('channelEdit', () =>
    import('../../features/channels/form/channel-form-page.tsx').then((file) => file.ChannelEditPage),
  ),
})

const channelKeys = createRoute({
  getParentRoute,
  path: '/channel/keys/$id',
  validateSearch: listSearch.omit({ keyword: true }).extend({ status: count(3), hint: word }),
  ...adminPage('channelKeys', () => import('../../features/channels/keys/keys-page.tsx').then((file) => file.KeysPage)),
})

const modelLists = createRoute({
  getParentRoute,
  path: '/channel/models',
  validateSearch: listSearch.extend({ channel: count() }),
  ...adminPage('modelLists', () =>
    import('../../features/channels/model-lists/model-lists-page.tsx').then((file) => file.ModelListsPage),
  ),
})

const routing = createRoute({
  getParentRoute,
  path: '/route',
  validateSearch: z.object({ group: word, model: word, path: word }),
  ...adminPage('routes', () => import('../../features/routes/routes-page.tsx').then((file) => file.RoutesPage)),
})

export const channelRoutes = [channels, channelAdd, channelEdit, channelKeys, modelLists, routing] as const
