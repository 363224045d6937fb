const ENGINES = ['sqlite', 'postgres']

/**
 * Parses `npm test -- <filters> --engine postgres <flags of bun test>`. A filter is a part of a test file's path; one that matches no file
 * is reported before anything runs, because Bun ends such a run silently.
 *
 * @param {string[]} words
 * @param {string[]} files every test file
 * @returns {{ env: Record<string, string>, args: string[] }}
 */
export function readTestArguments(words, files) {
  const at = words.indexOf('--engine')
  const engine = at === -1 ? 'sqlite' : (words[at + 1] ?? '')
  if (!ENGINES.includes(engine)) throw new Error(`--engine is ${ENGINES.join(' or ')}, not "${engine}".`)
  const args = at === -1 ? words : words.toSpliced(at, 2)

  // The value of a flag is not a filter; without any filter all files are meant.
  const filters = args.filter(
    (word, index) => !word.startsWith('-') && !['-t', '--timeout'].includes(args[index - 1] ?? ''),
  )
  const unmatched = filters.filter((filter) => !files.some((file) => file.includes(filter.replace(/^\.\//, ''))))
  if (unmatched.length > 0) throw new Error(`No test file has "${unmatched.join('" or "')}" in its path.`)
  return { env: engine === 'postgres' ? { TEST_ENGINE: 'postgres' } : {}, args }
}
