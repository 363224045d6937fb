import { Button, Code } from '@mantine/core'
import { isCodeMissing } from '../lib/browser/code-missing.ts'
import { appText } from '../text/app.ts'
import { useText } from '../text/text.ts'
import { IconPlugOff } from '../ui/layout/icons.tsx'
import { EmptyState } from '../ui/table/empty-state.tsx'

/** A page that threw, or whose code could not be loaded. */
export function BrokenPage({ error }: { error: unknown }) {
  const text = useText(appText)
  const missing = isCodeMissing(error)
  return (
    <>
      <EmptyState
        icon={<IconPlugOff size={36} stroke={1.5} />}
        title={missing ? text.codeMissing : text.broken}
        help={missing ? text.codeMissingHelp : text.brokenHelp}
        action={<Button onClick={() => window.location.reload()}>{text.reload}</Button>}
      />
      {!missing && <Code block>{String(error)}</Code>}
    </>
  )
}
