import { stored } from './storage.ts'

export type ColorScheme = 'auto' | 'light' | 'dark'

const isColorScheme = (value: unknown): value is ColorScheme =>
  value === 'auto' || value === 'light' || value === 'dark'

/** The visitor's own choice, or undefined while the site's default applies. */
export const chosenColorScheme = () => {
  const value = stored.read('color_scheme')
  return isColorScheme(value) ? value : undefined
}

export const rememberColorScheme = (scheme: ColorScheme) => stored.write('color_scheme', scheme)
