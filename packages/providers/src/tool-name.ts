/**
 * The name of a called tool. Hosts of gpt-oss leave its own marks in some: `tide<|channel|>commentary` is a tool that nobody
 * offered.
 */
export const withoutMarks = (name: string) => (name.includes('<|') ? name.replace(/<\|.*$/s, '').trim() || name : name)
