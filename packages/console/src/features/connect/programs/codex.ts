import type { Facts, Program } from './program.ts'
import { toml } from './quote.ts'
import { terminalVariants } from './terminal.ts'

export const codex: Program = {
  id: 'codex',
  name: 'Codex',
  group: 'agents',
  protocol: 'responses',
  prefers: [/codex/i, /^gpt-\d/i, /^(o\d|gpt)/i],
  docs: 'https://developers.openai.com/codex/config-advanced',
  variants: terminalVariants((facts, terminal) => [
    { task: 'config', language: 'toml', file: '~/.codex/config.toml', code: config(facts) },
    terminal.environment({ TOLLGATE_API_KEY: facts.key }),
    terminal.run('codex'),
  ]),
}

/** The key is not in the file: Codex reads it from the variable that the file names. */
const config = ({ address, model, site }: Facts) => `model = ${toml(model)}
model_provider = "tollgate"

[model_providers.tollgate]
name = ${toml(site)}
base_url = ${toml(`${address}/v1`)}
env_key = "TOLLGATE_API_KEY"
wire_api = "responses"`
