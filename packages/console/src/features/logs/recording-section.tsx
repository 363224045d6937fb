import { Button, Skeleton } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { sessionUser } from '../../lib/session/session-user.ts'
import { recordingsText } from '../../text/recordings.ts'
import { useText } from '../../text/text.ts'
import type { CallLog } from './call-log.ts'
import classes from './log-panel.module.css'
import { PanelSection } from './panel-section.tsx'

const RecordingView = lazy(() => import('./recording/recording-view.tsx'))

/** The recorded request and answer: fetched on demand, together with the code that shows them. */
export function RecordingSection({ log, everyone }: { log: CallLog; everyone: boolean }) {
  const text = useText(recordingsText)
  const [isOpen, setOpen] = useState(false)
  const isAudited = everyone && log.user_id !== sessionUser()?.id
  return (
    <PanelSection title={text.title}>
      {isOpen ? (
        <Suspense fallback={<Skeleton height={120} />}>
          <RecordingView requestId={log.request_id} everyone={everyone} />
        </Suspense>
      ) : (
        <>
          <Button variant="default" size="xs" onClick={() => setOpen(true)}>
            {text.open}
          </Button>
          {isAudited && <p className={classes.note}>{text.openAudited}</p>}
        </>
      )}
    </PanelSection>
  )
}
