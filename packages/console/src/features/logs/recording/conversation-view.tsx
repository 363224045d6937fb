import { useMemo } from 'react'
import { recordingsText } from '../../../text/recordings.ts'
import { useText } from '../../../text/text.ts'
import classes from '../log-panel.module.css'
import type { Part, Turn } from './parts.ts'
import { readAnswer } from './read-answer.ts'
import { readRequest } from './read-request.ts'
import own from './recording.module.css'

export function RequestTurns({ body }: { body: string }) {
  const text = useText(recordingsText)
  const request = useMemo(() => readRequest(body), [body])
  if (request === undefined) return <Unreadable body={body} />
  const { parameters, tools, turns } = request
  return (
    <>
      <Turns turns={turns} />
      {tools.length > 0 && <Folded title={text.tools(tools.length)} code={JSON.stringify(tools, null, 2)} />}
      <Folded title={text.parameters} code={JSON.stringify(parameters, null, 2)} />
    </>
  )
}

export function AnswerTurns({ body }: { body: string }) {
  const turns = useMemo(() => readAnswer(body), [body])
  return turns === undefined ? <Unreadable body={body} /> : <Turns turns={turns} />
}

function Unreadable({ body }: { body: string }) {
  const text = useText(recordingsText)
  return <p className={classes.note}>{body === '' ? text.empty : text.unreadable}</p>
}

function Turns({ turns }: { turns: Turn[] }) {
  const text = useText(recordingsText)
  const names: Record<string, string> = text.roles
  if (turns.length === 0) return <p className={classes.note}>{text.empty}</p>
  return (
    <ol className={own.turns}>
      {turns.map(({ role, parts }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages have no ids, and their order never changes.
        <li key={index} className={own.turn} data-role={role}>
          <span className={own.role}>{names[role] ?? role}</span>
          {parts.map((part, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: see above.
            <MessagePart key={place} part={part} isError={role === 'error'} />
          ))}
        </li>
      ))}
    </ol>
  )
}

/** The server's placeholder for images and audio: `[image/png: 1234 bytes]`. */
const MEDIA = /\[([\w.+-]+(?:\/[\w.+-]+)?: \d+ bytes)\]/

/** Longer text is folded, and shows its beginning. */
const SHOWN_MAX = 1500
const START = 160

function MessagePart({ part, isError }: { part: Part; isError: boolean }) {
  const text = useText(recordingsText)
  if (part.kind === 'text' && part.text.length > SHOWN_MAX)
    return <Folded title={`${part.text.slice(0, START).trim()}…`} prose={part.text} />
  if (part.kind === 'text') return <p className={own.text}>{part.text}</p>
  if (part.kind === 'reasoning') return <Folded title={text.reasoning} prose={part.text} />
  if (part.kind === 'toolCall') return <Folded title={text.toolCall(part.name)} code={part.text} />
  if (part.kind === 'toolResult') return <Folded title={text.toolResult(part.name)} code={part.text} />
  return <Folded title={MEDIA.exec(part.text)?.[1] ?? text.data} code={part.text} isOpen={isError} />
}

interface FoldedProps {
  title: string
  code?: string
  prose?: string
  isOpen?: boolean
}

/** Long, and seldom of interest. */
function Folded({ title, code, prose, isOpen = false }: FoldedProps) {
  return (
    <details className={own.folded} open={isOpen}>
      <summary>{title}</summary>
      {/* What scrolls must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above. */}
      {code !== undefined && <pre tabIndex={0}>{code}</pre>}
      {prose !== undefined && <p className={own.text}>{prose}</p>}
    </details>
  )
}
