import type { Program } from './program.ts'
import { terminalVariants } from './terminal.ts'

export const aider: Program = {
  id: 'aider',
  name: 'aider',
  group: 'agents',
  protocol: 'chat',
  prefers: [/claude.*sonnet/i, /^gpt-\d/i],
  docs: 'https://aider.chat/docs/llms/openai-compat.html',
  variants: terminalVariants(({ address, key, model }, terminal) => [
    terminal.environment({ OPENAI_API_BASE: `${address}/v1`, OPENAI_API_KEY: key }),
    terminal.run('aider', '--model', `openai/${model}`),
  ]),
}
