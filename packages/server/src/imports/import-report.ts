/** What an import found and did, for the operator who decides by it. */
export interface ImportReport {
  /** What is new here. */
  created(what: Counted, count?: number): void
  /** What exists here already and stays as it is. */
  kept(what: Counted): void
  /** What is not imported, or is different here. Equal sentences are counted, with the first few examples. */
  note(sentence: string, example?: string): void
  lines(): string[]
}

export const COUNTED = ['accounts', 'keys', 'channels', 'codes', 'settings', 'log entries'] as const
export type Counted = (typeof COUNTED)[number]

const EXAMPLES_MAX = 5

export const createReport = (): ImportReport => {
  const counts = new Map(COUNTED.map((what) => [what, { created: 0, kept: 0 }]))
  const notes = new Map<string, { count: number; examples: string[] }>()
  const countOf = (what: Counted) => counts.get(what) ?? { created: 0, kept: 0 }
  return {
    created(what, count = 1) {
      counts.set(what, { ...countOf(what), created: countOf(what).created + count })
    },
    kept(what) {
      counts.set(what, { ...countOf(what), kept: countOf(what).kept + 1 })
    },
    note(sentence, example) {
      const noted = notes.get(sentence) ?? { count: 0, examples: [] }
      noted.count++
      if (example !== undefined && noted.examples.length < EXAMPLES_MAX) noted.examples.push(example)
      notes.set(sentence, noted)
    },
    lines: () => [
      ...COUNTED.map((what) => {
        const { created, kept } = countOf(what)
        return `${String(created).padStart(9)} ${what}${kept === 0 ? '' : `, and ${kept} that exist here already and stay as they are`}`
      }),
      ...(notes.size === 0 ? [] : ['', 'What is different, or is left behind:']),
      ...[...notes].map(([sentence, { count, examples }]) => {
        const more = count > examples.length && examples.length > 0 ? ', …' : ''
        const shown = examples.length === 0 ? '' : `: ${examples.join(', ')}${more}`
        return `  ${count} × ${sentence}${shown}`
      }),
    ],
  }
}
