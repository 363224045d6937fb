import { SegmentedControl, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatTimestamp } from '../../../lib/format/time.ts'
import { recordingsText } from '../../../text/recordings.ts'
import { useText } from '../../../text/text.ts'
import { CodeBlock } from '../../../ui/display/code-block.tsx'
import classes from '../log-panel.module.css'
import { recordingOf } from '../queries.ts'
import { byteText } from './byte-text.ts'
import { AnswerTurns, RequestTurns } from './conversation-view.tsx'
import own from './recording.module.css'

/** A recorded request and answer, as a conversation or as raw text. */
export default function RecordingView({ requestId, everyone }: { requestId: string; everyone: boolean }) {
  const text = useText(recordingsText)
  const [view, setView] = useState('conversation')
  const { data, error } = useQuery(recordingOf(requestId, everyone))
  if (error !== null) return <p className={classes.note}>{text.gone(error.message)}</p>
  if (data === undefined) return <Skeleton height={120} />
  const isRaw = view === 'raw'
  const size = (bytes: number, cut: boolean) => (cut ? text.cut(byteText(bytes)) : text.sizeOf(byteText(bytes)))
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label={text.views}
        value={view}
        onChange={setView}
        data={[
          { value: 'conversation', label: text.conversation },
          { value: 'raw', label: text.raw },
        ]}
      />
      <Side title={text.request} note={size(data.request_size, data.request_cut)}>
        {isRaw ? <Raw code={data.request} label={text.copyRequest} /> : <RequestTurns body={data.request} />}
      </Side>
      <Side title={text.response} note={`HTTP ${data.status} · ${size(data.response_size, data.response_cut)}`}>
        {isRaw ? <Raw code={data.response} label={text.copyResponse} /> : <AnswerTurns body={data.response} />}
      </Side>
      <p className={classes.note}>{text.expires(formatTimestamp(data.expires_at))}</p>
    </>
  )
}

function Side({ title, note, children }: { title: string; note: string; children: React.ReactNode }) {
  return (
    <div className={own.side}>
      <h4 className={own.title}>
        {title} <span className={classes.muted}>{note}</span>
      </h4>
      {children}
    </div>
  )
}

const Raw = ({ code, label }: { code: string; label: string }) => (
  <div className={own.raw}>
    <CodeBlock code={code} label={label} />
  </div>
)
