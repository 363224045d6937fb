import type { KeyboardEvent } from 'react'

/**
 * Enter in a list that was typed in chooses the marked option, or else the one of that very name, or else the first. The
 * library does so from a position that it works out after a time-out: to a fast typist, or on a slow machine, Enter comes
 * before, and sends the whole form instead.
 */
export function enterChooses(event: KeyboardEvent<HTMLElement>) {
  const { target: input, key, nativeEvent } = event
  if (key !== 'Enter' || nativeEvent.isComposing || !(input instanceof HTMLInputElement)) return
  const sought = input.value.trim()
  const list = document.getElementById(input.getAttribute('aria-controls') ?? '')
  if (list === null || input.readOnly || sought === '') return
  event.preventDefault()
  event.stopPropagation()
  const options = [...list.querySelectorAll<HTMLElement>('[data-combobox-option]:not([data-combobox-disabled])')]
  const marked = options.find((option) => option.hasAttribute('data-combobox-selected'))
  const chosen = marked ?? options.find((option) => option.textContent?.trim() === sought) ?? options[0]
  chosen?.click()
}
