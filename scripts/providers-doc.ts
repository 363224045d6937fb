// `npm run docs:providers`: writes docs/providers.md from the channel types and the providers behind them.
//   --check   writes nothing, and exits 1 when the file is not what it would write
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHANNEL_TYPES, type ChannelType } from '@tollgate/contract'
import { type Access, type OpenAiOperation, type Provider, providerOf } from '@tollgate/providers'

const FILE = join(import.meta.dir, '../docs/providers.md')

const INTRO = `# Providers

Made by \`npm run docs:providers\` from \`packages/contract/src/channel-types.ts\` and \`packages/providers\`; edit those.

A caller speaks OpenAI's chat completions or Responses, Anthropic's Messages or Google's generateContent. Where a vendor
speaks the caller's dialect ("passed"), bytes go through as they come and only address, credentials and the model's name
are ours. Otherwise a chat is translated ("translated"), whole or streamed, with tools, pictures, reasoning and usage.

What a vendor has no word for is **refused** with a 400 that names the parameter when it would change the answer, and
**dropped** when clients send it by default or when it is only a wish. The names are those of OpenAI's chat completions.
A vendor for which nothing is listed gets every parameter and judges itself.
`

const OPERATIONS: readonly OpenAiOperation[] = [
  'chat/completions',
  'completions',
  'responses',
  'responses/input_tokens',
  'responses/compact',
  'embeddings',
  'rerank',
  'moderations',
  'images/generations',
  'images/edits',
  'images/variations',
  'audio/transcriptions',
  'audio/translations',
  'audio/speech',
]

export function providersDoc(types: readonly ChannelType[] = CHANNEL_TYPES): string {
  return [INTRO, overview(types), ...types.map(section)].join('\n')
}

const overview = (types: readonly ChannelType[]) =>
  table(
    ['type', 'name', 'passed', 'translated', 'files and batches', 'videos', 'tasks', 'balance', 'model list'],
    types.map((type) => {
      const provider = providerOf(type.value)
      return [
        String(type.value),
        type.label.en,
        provider === undefined
          ? ''
          : passed(provider, type)
              .map(({ dialect }) => dialect)
              .join(', '),
        provider?.chat === undefined ? '' : 'chat',
        provider?.batches === undefined ? '' : batches(provider.batches),
        yes(provider?.videos !== undefined || provider?.videoTasks !== undefined),
        yes(provider?.midjourney !== undefined),
        yes(type.balance !== undefined && provider?.balance !== undefined),
        yes(provider?.models !== undefined),
      ]
    }),
  )

function videos({ videos: own, videoTasks }: Provider) {
  if (own !== undefined) return '`/v1/videos`'
  return videoTasks === undefined ? '' : '`/v1/videos`, translated; without remix'
}

/** OpenAI's dialect uses files for batches. */
const batches = ({ dialect, times }: NonNullable<Provider['batches']>) =>
  `${dialect === 'openai' ? '`/v1/files`, `/v1/batches`' : '`/v1/messages/batches`'} at ${times} × the price`

function section(type: ChannelType): string {
  const provider = providerOf(type.value)
  const title = `## ${type.value} ${type.label.en}\n`
  if (provider === undefined) return `${title}\nNo provider.\n`
  const { refuse = [], drop = [] } = provider.unsupported ?? {}
  const lines: [string, string][] = [
    ['address', provider.baseUrl ?? 'the channel names it'],
    ['key', type.keyFormat === undefined ? 'as the vendor gives it' : `\`${type.keyFormat}\``],
    ['fields', type.fields.map(fieldText).join('; ')],
    ['credential', credential(provider)],
    ...passed(provider, type).map(({ dialect, operations }): [string, string] => [
      `passed, ${dialect}`,
      operations.map((name) => `\`${name}\``).join(', '),
    ]),
    ['batches', provider.batches === undefined ? '' : batches(provider.batches)],
    ['videos', videos(provider)],
    ['tasks', provider.midjourney === undefined ? '' : '`/mj/submit/…`, `/mj/task/…`, `/mj/image/…`'],
    ['background', provider.background === undefined ? '' : 'responses'],
    ['realtime', provider.realtime === undefined ? '' : 'over a WebSocket'],
    ['translated', translated(provider).join(', ')],
    ['refused', refuse.map((name) => `\`${name}\``).join(', ')],
    ['dropped', drop.map((name) => `\`${name}\``).join(', ')],
    ['balance', type.balance !== undefined && provider.balance !== undefined ? `in ${type.balance}` : 'not offered'],
    ['model list', provider.models === undefined ? 'not offered' : 'from the vendor'],
  ]
  return `${title}\n${lines.flatMap(([name, text]) => (text === '' ? [] : [`- ${name}: ${text}`])).join('\n')}\n`
}

const fieldText = ({ name, required, default: preset }: ChannelType['fields'][number]) =>
  `\`${name}\`${required ? ' (required)' : ''}${preset === undefined ? '' : `, else \`${preset}\``}`

function credential({ exchange, mint }: Provider) {
  if (exchange !== undefined) return 'a short-lived token, exchanged for the key and kept until it expires'
  return mint === undefined ? '' : 'a short-lived token, signed with the key'
}

/** The operations passed through, by dialect. */
function passed(provider: Provider, { value }: ChannelType) {
  const access: Access = { type: value, baseUrl: 'https://vendor.example', key: 'key', other: '', config: CONFIG }
  const offered = <Name extends string>(
    native: { url(operation: Name, access: Access, model: string): string | undefined } | undefined,
    names: readonly Name[],
    model: string,
  ) => names.filter((name) => native?.url(name, access, model) !== undefined)
  const { openai, anthropic, gemini } = provider
  return [
    { dialect: 'OpenAI', operations: offered(openai, OPERATIONS, 'a-model') },
    { dialect: 'Anthropic', operations: offered(anthropic, ['messages', 'messages/count_tokens'], 'claude-a') },
    {
      dialect: 'Google',
      operations: offered(
        gemini,
        ['generateContent', 'streamGenerateContent', 'countTokens', 'embedContent', 'batchEmbedContents'],
        'gemini-a',
      ),
    },
  ].filter(({ operations }) => operations.length > 0)
}

/** A channel with every field that a URL may be built from. */
const CONFIG = { region: 'us-east-1', user_id: 'account', vertex_ai_project_id: 'project' }

function translated({ chat, embeddings, rerank, images, speech, transcription, forward }: Provider): string[] {
  const chats =
    chat === undefined ? [] : [`chat (${FRAMINGS[chat.framing]}${chat.always ? `, always ${chat.always}` : ''})`]
  const others = { embeddings, rerank, images, speech, transcription, 'any path': forward }
  return [...chats, ...Object.entries(others).flatMap(([name, own]) => (own === undefined ? [] : [name]))]
}

const FRAMINGS = {
  sse: 'server-sent events',
  'json-lines': 'lines of JSON',
  'aws-event-stream': "Amazon's event stream",
  websocket: 'a WebSocket',
} as const

const yes = (condition: boolean) => (condition ? 'yes' : '')

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  `${[head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`

if (import.meta.main) {
  const text = providersDoc()
  if (!process.argv.includes('--check')) writeFileSync(FILE, text)
  else if (readFileSync(FILE, 'utf8') !== text) {
    console.error('docs/providers.md is stale: run `npm run docs:providers`.')
    process.exit(1)
  }
}
