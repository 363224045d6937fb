/** One server-sent event. JSON has no line breaks, so one `data` line is enough. */
export const sse = (data: unknown, event?: string) =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
