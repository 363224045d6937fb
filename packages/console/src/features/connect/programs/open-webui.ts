import { dockerRun, fromDocker } from './docker.ts'
import type { Program } from './program.ts'

export const openWebui: Program = {
  id: 'open-webui',
  name: 'Open WebUI',
  group: 'chats',
  protocol: 'chat',
  prefers: [/^gpt-\d/i, /claude.*sonnet/i],
  docs: 'https://docs.openwebui.com/getting-started/quick-start/starting-with-openai-compatible',
  variants: [
    {
      name: 'app',
      parts: ({ address, key, model }) => [
        {
          task: 'fill',
          fields: [
            { label: 'address', value: `${address}/v1` },
            { label: 'key', value: key },
            { label: 'model', value: model },
          ],
        },
      ],
    },
    {
      name: 'docker',
      parts: ({ address, key, model }) => [
        dockerRun({
          name: 'open-webui',
          image: 'ghcr.io/open-webui/open-webui:main',
          port: '3000:8080',
          volume: 'open-webui:/app/backend/data',
          address,
          environment: {
            OPENAI_API_BASE_URL: `${fromDocker(address)}/v1`,
            OPENAI_API_KEY: key,
            DEFAULT_MODELS: model,
          },
        }),
      ],
    },
  ],
}
