#!/usr/bin/env bun

// Bun's HTTP client runs 256 requests at a time and lets the others wait, however long those take. Only the environment
// changes that, and only before the process starts; so it starts once more, as the same process, before it has read
// anything else.
if (process.env.BUN_CONFIG_MAX_HTTP_REQUESTS === undefined && process.execve !== undefined) {
  const environment = { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: '65535' }
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], environment)
}
await import('./cli.ts')

export {}
