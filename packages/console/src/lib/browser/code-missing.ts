/** How the bundler and the browsers report that a file of the console could not be loaded. */
const MESSAGES = [
  'Unable to preload CSS',
  'Failed to fetch dynamically imported module',
  'error loading dynamically imported module',
  'Importing a module script failed',
]

/** The server was down, or a new version has replaced the files that this page refers to. */
export const isCodeMissing = (error: unknown) =>
  error instanceof Error && MESSAGES.some((message) => error.message.includes(message))
