import type { Code, Facts, Part, Variant } from './program.ts'
import { powershell, sh } from './quote.ts'

/** Shell-specific syntax. */
export interface Terminal {
  /** Environment variables for programs started from this terminal. */
  environment: (variables: Record<string, string>) => Code
  /** Starts a program; arguments are quoted. */
  run: (program: string, ...words: string[]) => Code
}

/** The same settings for both kinds of systems. */
export const terminalVariants = (parts: (facts: Facts, terminal: Terminal) => Part[]): [Variant, Variant] => [
  { name: 'unix', parts: (facts) => parts(facts, unix) },
  { name: 'windows', parts: (facts) => parts(facts, windows) },
]

const started = (program: string, words: string[], quote: (word: string) => string) =>
  [program, ...words.map((word) => (/^-/.test(word) ? word : quote(word)))].join(' ')

export const unix: Terminal = {
  environment: (variables) => ({
    task: 'environment',
    language: 'sh',
    code: lines(variables, (name, value) => `export ${name}=${sh(value)}`),
  }),
  run: (program, ...words) => ({ task: 'run', language: 'sh', code: started(program, words, sh) }),
}

const windows: Terminal = {
  environment: (variables) => ({
    task: 'environment',
    language: 'powershell',
    code: lines(variables, (name, value) => `$env:${name} = ${powershell(value)}`),
  }),
  run: (program, ...words) => ({ task: 'run', language: 'powershell', code: started(program, words, powershell) }),
}

function lines(variables: Record<string, string>, line: (name: string, value: string) => string) {
  return Object.entries(variables)
    .map(([name, value]) => line(name, value))
    .join('\n')
}
