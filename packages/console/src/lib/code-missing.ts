/** How the bundler and the browsers say that a file of the console did not arrive. */
const SAYINGS = [
  'Unable to preload CSS',
  'Failed to fetch dynamically imported module',
  'error loading dynamically imported module',
  'Importing a module script failed',
]

/** The server was down, or a new version has replaced the files that this page knows. */
export const isCodeMissing = (error: unknown) =>
  error instanceof Error && SAYINGS.some((saying) => error.message.includes(saying))
