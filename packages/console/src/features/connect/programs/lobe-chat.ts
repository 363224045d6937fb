import { dockerRun, fromDocker } from './docker.ts'
import type { Program } from './program.ts'

export const lobeChat: Program = {
  id: 'lobe-chat',
  name: 'LobeChat',
  group: 'chats',
  protocol: 'chat',
  prefers: [/^gpt-\d/i, /claude.*sonnet/i],
  docs: 'https://lobehub.com/docs/self-hosting/environment-variables/model-provider',
  variants: [
    {
      name: 'app',
      parts: ({ address, key, model }) => [
        {
          task: 'fill',
          fields: [
            { label: 'type', value: 'OpenAI' },
            { label: 'key', value: key },
            { label: 'address', value: `${address}/v1` },
            { label: 'model', value: model },
          ],
        },
      ],
    },
    {
      name: 'docker',
      parts: ({ address, key, model }) => [
        dockerRun({
          name: 'lobe-chat',
          image: 'lobehub/lobe-chat',
          port: '3210:3210',
          address,
          environment: {
            OPENAI_API_KEY: key,
            OPENAI_PROXY_URL: `${fromDocker(address)}/v1`,
            OPENAI_MODEL_LIST: `-all,+${model}`,
          },
        }),
      ],
    },
  ],
}
