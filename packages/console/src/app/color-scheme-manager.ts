import type { MantineColorSchemeManager } from '@mantine/core'
import { chosenColorScheme, rememberColorScheme } from '../lib/browser/color-scheme.ts'

/** Stores the visitor's choice where `boot.js` finds it before the first paint. */
export const colorSchemeManager: MantineColorSchemeManager = {
  get: (siteDefault) => chosenColorScheme() ?? siteDefault,
  set: rememberColorScheme,
  subscribe: () => {},
  unsubscribe: () => {},
  clear: () => {},
}
