import { Center, Loader, Text } from '@mantine/core'
import { appText } from '../text/app.ts'
import { useText } from '../text/text.ts'
import type { PageTitle } from './page-title.ts'

/** Shown while the code of a page loads. */
export function LoadingPage({ title }: { title: PageTitle }) {
  const text = useText(appText)
  return (
    <Center mih={240} style={{ flexDirection: 'column', gap: 12 }} role="status">
      <Loader size="sm" />
      <Text c="dimmed">{text.loading(text.title[title])}</Text>
    </Center>
  )
}
