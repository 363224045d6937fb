export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** One metric in Prometheus' text format: what it is, and its series. Nothing at all without any. */
export const family = (
  name: string,
  type: 'counter' | 'gauge' | 'histogram',
  help: string,
  lines: readonly string[],
) => (lines.length === 0 ? [] : [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines])

/** Names of models come from callers and channels' from operators: a quote would end the label. */
export const label = (name: string, value: string) =>
  `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
