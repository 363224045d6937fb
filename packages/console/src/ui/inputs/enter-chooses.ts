import type { KeyboardEvent } from 'react'

/**
 * Enter in a searchable list selects the highlighted option, or else an exact match, or else the first. The library does so from a
 * position that it computes after a timeout: for a fast typist, or on a slow machine, Enter comes earlier and submits the form instead.
 */
export function enterChooses(event: KeyboardEvent<HTMLElement>) {
  const { target: input, key, nativeEvent } = event
  if (key !== 'Enter' || nativeEvent.isComposing || !(input instanceof HTMLInputElement)) return
  const typed = input.value.trim()
  const list = document.getElementById(input.getAttribute('aria-controls') ?? '')
  if (list === null || input.readOnly || typed === '') return
  event.preventDefault()
  event.stopPropagation()
  const options = [...list.querySelectorAll<HTMLElement>('[data-combobox-option]:not([data-combobox-disabled])')]
  const marked = options.find((option) => option.hasAttribute('data-combobox-selected'))
  const chosen = marked ?? options.find((option) => option.textContent?.trim() === typed) ?? options[0]
  chosen?.click()
}

/** Enter takes the typed text, unless it chooses a highlighted suggestion. */
export const isEnterOfText = ({ key, currentTarget, nativeEvent }: KeyboardEvent<HTMLElement>) =>
  key === 'Enter' && !nativeEvent.isComposing && !currentTarget.hasAttribute('aria-activedescendant')
