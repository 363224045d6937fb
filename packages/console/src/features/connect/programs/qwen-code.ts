import type { Facts, Program } from './program.ts'
import { jsonFile } from './quote.ts'
import { unix } from './terminal.ts'

export const qwenCode: Program = {
  id: 'qwen-code',
  name: 'Qwen Code',
  group: 'agents',
  protocol: 'chat',
  prefers: [/qwen.*coder/i, /qwen/i],
  docs: 'https://qwenlm.github.io/qwen-code-docs/en/users/configuration/model-providers/',
  variants: [
    {
      name: 'settings',
      parts: (facts) => [
        { task: 'config', language: 'json', file: '~/.qwen/settings.json', code: jsonFile(config(facts)) },
        unix.run('qwen'),
      ],
    },
  ],
}

const config = ({ address, key, model }: Facts) => ({
  modelProviders: {
    openai: [{ id: model, name: model, baseUrl: `${address}/v1`, envKey: 'TOLLGATE_API_KEY' }],
  },
  env: { TOLLGATE_API_KEY: key },
  security: { auth: { selectedType: 'openai' } },
  model: { name: model },
})
