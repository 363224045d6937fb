import { Center, Loader, Text } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { oauth } from '@tollgate/contract'
import { useEffect, useRef, useState } from 'react'
import { ask } from '../../api/call.ts'
import { describeFailure } from '../../api/failure.ts'
import { sessionText } from '../../text/session.ts'
import { useText } from '../../text/text.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { useEnter } from './enter.ts'
import { finishOAuth } from './finish-oauth.ts'

const gitHubRoute = getRouteApi('/oauth/github')
const larkRoute = getRouteApi('/oauth/lark')

export function GitHubCallbackPage() {
  const query = callbackQuery(gitHubRoute.useSearch())
  return <Callback finish={() => ask(oauth.github, { query })} />
}

export function LarkCallbackPage() {
  const query = callbackQuery(larkRoute.useSearch())
  return <Callback finish={() => ask(oauth.lark, { query })} />
}

function Callback({ finish }: { finish: Parameters<typeof finishOAuth>[0]['ask'] }) {
  const text = useText(sessionText)
  const navigate = useNavigate()
  const enter = useEnter()
  const [message, setMessage] = useState(text.processing)
  const started = useRef(false)

  const run = async () => {
    const outcome = await finishOAuth({
      ask: finish,
      onRetry: (count) => setMessage(text.retrying(count)),
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    })
    if (outcome.kind === 'entered') return enter(outcome.user, '/')
    if (outcome.kind === 'bound') toast.success(text.bound)
    if (outcome.kind === 'refused') toast.error(describeFailure(outcome.error).message, { onNextPage: true })
    if (outcome.kind === 'gaveUp') toast.error(text.giveUp, { onNextPage: true })
    await navigate({ to: '/setting', replace: true })
  }

  // The code may be used once, so the call is made once, however often this renders.
  useEffect(() => {
    if (started.current) return
    started.current = true
    void run()
  })

  return (
    <Center mih={280} style={{ flexDirection: 'column', gap: 12 }} role="status">
      <Loader size="sm" />
      <Text>{message}</Text>
    </Center>
  )
}

const callbackQuery = ({ code = '', state = '' }: { code?: string | undefined; state?: string | undefined }) => ({
  code,
  state,
})
