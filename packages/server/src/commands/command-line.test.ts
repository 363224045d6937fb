import { expect, test } from 'bun:test'
import { VERSION } from '../common/version.ts'
import { runCommand } from '../testing/command.ts'

test.each(['help', '--help', '-h', 'start --help', 'audit -h', 'reset-password root --help'])(
  '%s prints the commands and runs none',
  async (line) => {
    const { output, errors, exitCode } = await runCommand(line.split(' '))
    expect([errors, exitCode]).toEqual(['', 0])
    expect(output).toContain('tollgate reset-password')
  },
)

test.each(['version', '--version', '-v', 'start --version'])('%s prints the version', async (line) => {
  expect(await runCommand(line.split(' '))).toEqual({ output: `${VERSION}\n`, errors: '', exitCode: 0 })
})

test.each(['strat', 'constructor'])('an unknown command is named, with those that there are: %s', async (word) => {
  const { output, errors, exitCode } = await runCommand([word, '--port', '0'])
  expect([output, exitCode]).toEqual(['', 2])
  expect(errors).toStartWith(`There is no command "${word}".\n`)
  expect(errors).toContain('tollgate start')
})

test.each([
  [['audit', '--since', 'yesterday'], /^--since must be a duration/],
  [['health', '--prot', '1'], /^There is no option --prot\n$/],
  [['start', '--prot', '1'], /^Tollgate cannot start: There is no option --prot\n$/],
])('only a command that starts the server says that it cannot start: %j', async (words, says) => {
  const { errors, exitCode } = await runCommand(words)
  expect(exitCode).toBe(2)
  expect(errors).toMatch(says)
})
