import type { Program } from './program.ts'

export const cherryStudio: Program = {
  id: 'cherry-studio',
  name: 'Cherry Studio',
  group: 'chats',
  protocol: 'chat',
  prefers: [/^gpt-\d/i, /claude.*sonnet/i],
  docs: 'https://docs.cherry-ai.com/pre-basic/providers/newapi',
  variants: [
    {
      name: 'app',
      parts: ({ address, key, model }) => [
        {
          task: 'fill',
          fields: [
            { label: 'type', value: 'OpenAI' },
            { label: 'key', value: key },
            // It appends the version to the address itself.
            { label: 'address', value: address },
            { label: 'model', value: model },
          ],
        },
      ],
    },
  ],
}
