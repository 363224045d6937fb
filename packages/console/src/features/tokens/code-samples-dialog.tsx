import { Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { commaList, type Token } from '@tollgate/contract'
import { useText } from '../../text/text.ts'
import { tokensText } from '../../text/tokens.ts'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { fullKey } from './chat-links.ts'
import { codeSamples } from './code-samples.ts'
import { availableModels } from './queries.ts'

const FALLBACK_MODEL = 'gpt-4o-mini'

/** The token's first call in three languages, with a model that this token may use. */
export function CodeSamplesDialog({ token, address, onClose }: { token: Token; address: string; onClose: () => void }) {
  const text = useText(tokensText)
  const models = useQuery(availableModels)
  const model = commaList(token.models)[0] ?? models.data?.[0] ?? FALLBACK_MODEL
  const samples = codeSamples({ key: fullKey(token.key), address, model })
  return (
    <Dialog onClose={onClose} size="lg" title={text.samples}>
      <Text c="dimmed" size="sm" mb="sm">
        {text.samplesHelp(token.name)}
      </Text>
      <Tabs defaultValue="curl">
        <Tabs.List>
          {samples.map(({ name }) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {samples.map(({ name, code }) => (
          <Tabs.Panel key={name} value={name} pt="sm">
            <CodeBlock code={code} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Dialog>
  )
}
