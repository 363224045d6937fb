import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChannelName } from './vendors.ts'

export interface Setting {
  url: string
  key: string
  model: string
  prompt: string
  /** Its working folder and home directory; both are new for each run. */
  folder: string
  home: string
}

export interface Program {
  name: string
  package: string
  /** The channel of its own dialect. */
  native: ChannelName
  command(setting: Setting): { args: string[]; env: Record<string, string> }
}

const claude: Program = {
  ...{ name: 'Claude Code', package: '@anthropic-ai/claude-code', native: 'anthropic' },
  command: ({ url, key, model, prompt }) => ({
    args: [
      'claude',
      '-p',
      prompt,
      '--model',
      model,
      '--allowedTools',
      'Read',
      'Write',
      '--permission-mode',
      'acceptEdits',
    ],
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: key,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
      MAX_THINKING_TOKENS: '2048',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    },
  }),
}

const codex: Program = {
  ...{ name: 'Codex', package: '@openai/codex', native: 'responses' },
  command({ url, key, model, prompt, home }) {
    put(
      join(home, '.codex', 'config.toml'),
      [
        'model_provider = "tollgate"',
        '[model_providers.tollgate]',
        'name = "tollgate"',
        `base_url = "${url}/v1"`,
        'env_key = "TOLLGATE_KEY"',
        'wire_api = "responses"',
      ].join('\n'),
    )
    const flags = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox']
    return { args: ['codex', 'exec', ...flags, '-m', model, prompt], env: { TOLLGATE_KEY: key } }
  },
}

const gemini: Program = {
  ...{ name: 'Gemini CLI', package: '@google/gemini-cli', native: 'gemini' },
  command({ url, key, model, prompt, home }) {
    const security = { auth: { selectedType: 'gemini-api-key' } }
    put(
      join(home, '.gemini', 'settings.json'),
      JSON.stringify({ security, privacy: { usageStatisticsEnabled: false } }),
    )
    return {
      args: ['gemini', '--prompt', prompt, '--model', model, '--yolo', '--skip-trust'],
      env: { GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: url },
    }
  },
}

const opencode: Program = {
  ...{ name: 'opencode', package: 'opencode-ai', native: 'chat' },
  command({ url, key, model, prompt, folder }) {
    const options = { baseURL: `${url}/v1`, apiKey: key }
    const provider = {
      tollgate: { npm: '@ai-sdk/openai-compatible', options, models: { [model]: { reasoning: true } } },
    }
    put(join(folder, 'opencode.json'), JSON.stringify({ provider, autoupdate: false, share: 'disabled' }))
    return {
      args: ['opencode', 'run', '--auto', '--model', `tollgate/${model}`, prompt],
      env: { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' },
    }
  },
}

const qwen: Program = {
  ...{ name: 'Qwen Code', package: '@qwen-code/qwen-code', native: 'chat' },
  command: ({ url, key, model, prompt }) => ({
    args: ['qwen', '--auth-type', 'openai', '--model', model, '--yolo', '--prompt', prompt],
    env: { OPENAI_API_KEY: key, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: model },
  }),
}

const cline: Program = {
  ...{ name: 'Cline', package: 'cline', native: 'chat' },
  command({ url, key, model, prompt, home }) {
    const provider = 'openai-compatible'
    const settings = { provider, apiKey: key, model, baseUrl: `${url}/v1` }
    // Without all of these members the settings are ignored.
    const entry = { settings, updatedAt: new Date().toISOString(), tokenSource: 'manual' }
    put(
      join(home, '.cline', 'data', 'settings', 'providers.json'),
      JSON.stringify({ version: 1, lastUsedProvider: provider, modes: {}, providers: { [provider]: entry } }),
    )
    return { args: ['cline', '--provider', provider, '--model', model, '--auto-approve', 'true', prompt], env: {} }
  },
}

export const PROGRAMS: readonly Program[] = [claude, codex, gemini, opencode, qwen, cline]

function put(path: string, text: string) {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
}
