import '@mantine/core/styles.css'
import './app/global.css'
import { createRoot } from 'react-dom/client'
import { siteStatus } from './api/status.ts'
import { App } from './app/app.tsx'
import { createQueryClient } from './app/query-client.ts'
import { router } from './app/router.ts'
import { forgetUser } from './lib/session-user.ts'

const client = createQueryClient(() => {
  const { pathname, href } = router.state.location
  forgetUser()
  if (pathname === '/login') return
  void router
    .navigate({ to: '/login', search: { expired: 'true', from: href }, ignoreBlocker: true })
    .then(() => client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'status' }))
})

void client.prefetchQuery(siteStatus)

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(<App client={client} />)
