import { Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { optionsText } from '../../../text/options.ts'
import { useText } from '../../../text/text.ts'
import classes from './document-field.module.css'
import type { FieldProps } from './field-props.ts'

const Preview = lazy(() => import('./document-preview.tsx').then((file) => ({ default: file.DocumentPreview })))

const PAUSE_MS = 250

/** Markdown or HTML with a preview. `plain`: HTML only. */
export function DocumentField({ value, onChange, plain, ...rest }: FieldProps & { plain: boolean }) {
  const text = useText(optionsText)
  const [shown] = useDebouncedValue(value, PAUSE_MS)
  return (
    <>
      <Textarea
        {...rest}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autosize
        minRows={5}
        maxRows={18}
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
      />
      {shown.trim() !== '' && (
        <figure className={classes.preview}>
          <figcaption className={classes.caption}>{text.preview}</figcaption>
          <Suspense>
            <Preview source={shown} plain={plain} />
          </Suspense>
        </figure>
      )}
    </>
  )
}
