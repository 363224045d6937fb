import type { Program } from './program.ts'
import { jsonFile } from './quote.ts'
import { terminalVariants } from './terminal.ts'

export const geminiCli: Program = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  group: 'agents',
  protocol: 'generate',
  prefers: [/gemini.*pro/i, /gemini/i],
  docs: 'https://geminicli.com/docs/get-started/authentication',
  variants: terminalVariants(({ address, key, model }, terminal) => [
    terminal.environment({ GOOGLE_GEMINI_BASE_URL: address, GEMINI_API_KEY: key, GEMINI_MODEL: model }),
    {
      // A user who signed in with Google earlier would otherwise continue to use that.
      task: 'config',
      language: 'json',
      file: '~/.gemini/settings.json',
      code: jsonFile({ security: { auth: { selectedType: 'gemini-api-key' } } }),
    },
    terminal.run('gemini'),
  ]),
}
