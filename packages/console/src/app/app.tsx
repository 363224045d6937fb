import { MantineProvider } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { lastStatus, useStatus } from '../api/status.ts'
import { chosenColorScheme } from '../lib/browser/color-scheme.ts'
import { MoneyProvider } from '../lib/format/money.tsx'
import { Toaster } from '../ui/feedback/toaster.tsx'
import { colorSchemeManager } from './color-scheme-manager.ts'
import { router } from './router.ts'
import { theme, variables } from './theme.ts'

export function App({ client }: { client: QueryClient }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme={chosenColorScheme() ?? lastStatus().theme}
    >
      <QueryClientProvider client={client}>
        <SiteMoney>
          <RouterProvider router={router} />
        </SiteMoney>
      </QueryClientProvider>
      <Toaster />
    </MantineProvider>
  )
}

function SiteMoney({ children }: { children: ReactNode }) {
  const { quota_per_unit, display_in_currency } = useStatus()
  return <MoneyProvider value={{ quota_per_unit, display_in_currency }}>{children}</MoneyProvider>
}
