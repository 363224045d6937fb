import { bestModel } from '../models.ts'
import type { Facts, Program } from './program.ts'
import { jsonFile } from './quote.ts'
import { terminalVariants, unix } from './terminal.ts'

export const claudeCode: Program = {
  id: 'claude-code',
  name: 'Claude Code',
  group: 'agents',
  protocol: 'messages',
  prefers: [/claude.*sonnet/i, /claude/i],
  docs: 'https://code.claude.com/docs/en/llm-gateway',
  variants: [
    ...terminalVariants((facts, terminal) => [terminal.environment(variables(facts)), terminal.run('claude')]),
    {
      name: 'settings',
      parts: (facts) => [
        {
          task: 'config',
          language: 'json',
          file: '~/.claude/settings.json',
          code: jsonFile({ env: variables(facts) }),
        },
        unix.run('claude'),
      ],
    },
  ],
}

/** It requests models by class, also for small background tasks: each class gets one that the key may use. */
const variables = ({ address, key, model, models }: Facts) => ({
  ANTHROPIC_BASE_URL: address,
  ANTHROPIC_AUTH_TOKEN: key,
  ANTHROPIC_MODEL: model,
  ANTHROPIC_DEFAULT_OPUS_MODEL: bestModel(models, [/claude.*opus/i]) ?? model,
  ANTHROPIC_DEFAULT_SONNET_MODEL: bestModel(models, [/claude.*sonnet/i]) ?? model,
  ANTHROPIC_DEFAULT_HAIKU_MODEL: bestModel(models, [/claude.*haiku/i]) ?? model,
})
