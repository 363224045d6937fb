import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'
import { CopyButton } from '../feedback/copy-button.tsx'
import classes from './code-block.module.css'

export function CodeBlock({ code }: { code: string }) {
  const text = useText(commonText)
  return (
    <div className={classes.block}>
      {/* Long lines scroll, and what scrolls must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above. */}
      <pre className={classes.code} tabIndex={0}>
        <code>{code}</code>
      </pre>
      <div className={classes.copy}>
        <CopyButton value={code} label={text.copy} />
      </div>
    </div>
  )
}
