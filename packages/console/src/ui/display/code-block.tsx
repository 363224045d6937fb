import { Button } from '@mantine/core'
import { splitMarked } from '../../lib/format/split-marked.ts'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'
import { copy } from '../feedback/copy.ts'
import { CopyButton } from '../feedback/copy-button.tsx'
import { IconCopy } from '../layout/icons.tsx'
import classes from './code-block.module.css'

interface CodeBlockProps {
  code: string
  /** What is copied instead, such as the same with a hidden secret. */
  copied?: string
  /** The file it belongs to, or the language; shown above the code. */
  name?: string
  /** The label of the copy button; needed when a page has several. */
  label?: string
  /** The success toast. */
  done?: string
  /** Values to highlight. */
  marks?: readonly string[]
}

export function CodeBlock({ code, copied = code, name, label, done, marks = [] }: CodeBlockProps) {
  const text = useText(commonText)
  const pieces = splitMarked(code, marks)
  const toasts = done === undefined ? {} : { done }
  return (
    <div className={classes.block} data-named={name !== undefined || undefined}>
      <div className={classes.top}>
        {name === undefined ? (
          <CopyButton value={copied} label={label ?? text.copy} {...toasts} />
        ) : (
          <>
            <span className={classes.name}>{name}</span>
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<IconCopy size={14} />}
              aria-label={label ?? text.copy}
              onClick={() => void copy(copied, toasts)}
            >
              {text.copy}
            </Button>
          </>
        )}
      </div>
      {/* Long lines scroll, and what scrolls must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above. */}
      <pre className={classes.code} tabIndex={0}>
        <code>
          {pieces.map((piece, index) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces are their places in the text.
            piece.marked ? <b key={index}>{piece.text}</b> : piece.text,
          )}
        </code>
      </pre>
    </div>
  )
}
