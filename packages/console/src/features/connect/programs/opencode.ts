import type { Facts, Program } from './program.ts'
import { jsonFile } from './quote.ts'
import { unix } from './terminal.ts'

export const opencode: Program = {
  id: 'opencode',
  name: 'opencode',
  group: 'agents',
  protocol: 'chat',
  prefers: [/claude.*sonnet/i, /^gpt-\d/i],
  docs: 'https://opencode.ai/docs/providers/',
  variants: [
    {
      name: 'settings',
      parts: (facts) => [
        {
          task: 'config',
          language: 'json',
          file: '~/.config/opencode/opencode.json',
          code: jsonFile(config(facts)),
        },
        unix.run('opencode'),
      ],
    },
  ],
}

const config = ({ address, key, model, site }: Facts) => ({
  $schema: 'https://opencode.ai/config.json',
  model: `tollgate/${model}`,
  provider: {
    tollgate: {
      npm: '@ai-sdk/openai-compatible',
      name: site,
      options: { baseURL: `${address}/v1`, apiKey: key },
      models: { [model]: { name: model } },
    },
  },
})
