import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useReturnFocus } from '../../lib/browser/return-focus.ts'
import { appText } from '../../text/app.ts'
import { useText } from '../../text/text.ts'
import { IconSearch } from '../../ui/layout/icons.tsx'
import classes from './search-button.module.css'

const Palette = lazy(() => import('./palette.tsx').then((file) => ({ default: file.Palette })))
const IS_MAC = /mac/i.test(navigator.platform)

/** Opens the palette, by click or Ctrl/Cmd+K. Its code is loaded on first use. */
export function SearchButton() {
  const text = useText(appText)
  const [opened, setOpened] = useState(false)

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setOpened(true)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  return (
    <>
      <UnstyledButton className={classes.search} aria-label={text.search} onClick={() => setOpened(true)}>
        <IconSearch size={16} aria-hidden />
        <span className={classes.word}>{text.search}</span>
        <kbd className={classes.keys}>{IS_MAC ? '⌘K' : 'Ctrl K'}</kbd>
      </UnstyledButton>
      {opened && <OpenPalette onClose={() => setOpened(false)} />}
    </>
  )
}

/** A hidden field takes what is typed or pasted until the palette has loaded and its own field has the focus. */
function OpenPalette({ onClose }: { onClose: () => void }) {
  const text = useText(appText)
  const [word, setWord] = useState('')
  const [isLoaded, setLoaded] = useState(false)
  useReturnFocus()

  return (
    <>
      {!isLoaded && (
        <VisuallyHidden>
          <input
            aria-label={text.search}
            ref={(field) => field?.focus()}
            value={word}
            onChange={(event) => setWord(event.currentTarget.value)}
            onKeyDown={(event) => event.key === 'Escape' && onClose()}
          />
        </VisuallyHidden>
      )}
      <Suspense>
        <Palette word={word} onWord={setWord} onFocus={() => setLoaded(true)} onClose={onClose} />
      </Suspense>
    </>
  )
}
