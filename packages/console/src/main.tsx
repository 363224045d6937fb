import '@mantine/core/styles.css'
import './app/global.css'
import { createRoot } from 'react-dom/client'
import { siteStatus } from './api/status.ts'
import { App } from './app/app.tsx'
import { createQueryClient } from './app/query-client.ts'
import { router } from './app/router.ts'
import { drafts } from './lib/forms/drafts.ts'
import { forgetUser, onOtherUser } from './lib/session/session-user.ts'
import { toasts } from './ui/feedback/toast.ts'

const client = createQueryClient(() => {
  const { pathname, href } = router.state.location
  drafts.rescue()
  forgetUser()
  if (pathname === '/login') return
  void router
    .navigate({ to: '/login', search: { expired: 'true', from: href }, ignoreBlocker: true })
    .then(forgetAnswers)
})

/** One user's data must not be shown to the next. */
function forgetAnswers() {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'status' })
}

// Another tab has signed out, or in as someone else: nothing of the previous user stays on the screen.
onOtherUser((user) => {
  drafts.forget()
  const to = user === undefined ? '/login' : '/'
  void router.navigate({ to, ignoreBlocker: true }).then(forgetAnswers)
})

router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
  if (pathChanged) toasts.leavePage()
})

void client.prefetchQuery(siteStatus)

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(<App client={client} />)
