import { CloseButton, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { commonText } from '../../text/common.ts'
import { useText } from '../../text/text.ts'
import { IconSearch } from '../layout/icons.tsx'

const PAUSE_MS = 350

interface SearchBoxProps {
  label: string
  /** The search text in the URL. */
  value: string
  onSearch: (word: string) => void
  /** A value that could not be copied: shown here, selected, without searching for it. */
  manual?: string | undefined
}

/** Searches when typing pauses, at once on Enter; never per key. */
export function SearchBox({ label, value, onSearch, manual }: SearchBoxProps) {
  const text = useText(commonText)
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value)
  const [pending, setPending] = useState(false)

  useEffect(() => setTyped(value), [value])

  useEffect(() => {
    if (manual === undefined) return
    setTyped(manual)
    setPending(false)
    setTimeout(() => input.current?.select())
  }, [manual])

  useEffect(() => {
    if (!pending) return
    const timer = setTimeout(() => search(typed), PAUSE_MS)
    return () => clearTimeout(timer)
  })

  const search = (word: string) => {
    setPending(false)
    if (word.trim() !== value) onSearch(word.trim())
  }

  return (
    <TextInput
      ref={input}
      type="search"
      aria-label={label}
      placeholder={label}
      value={typed}
      w={{ base: '100%', xs: 280 }}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        typed !== '' && (
          <CloseButton
            size="sm"
            aria-label={text.clearSearch}
            onClick={() => {
              setTyped('')
              search('')
              input.current?.focus()
            }}
          />
        )
      }
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        setPending(true)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') search(typed)
      }}
    />
  )
}
