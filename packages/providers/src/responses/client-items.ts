import { z } from 'zod'
import type { ChatMessage } from '../chat.ts'
import { defined } from '../json.ts'
import { absent } from '../strict.ts'

/* Calls of client tools in the conversation, and their results: see `client-tools.ts`. */

const id = { call_id: z.string() }

const ShellCall = z.looseObject({
  ...{ type: z.literal('shell_call'), ...id, environment: z.unknown().optional() },
  action: z.looseObject({
    commands: z.array(z.string()),
    timeout_ms: absent(z.number()),
    max_output_length: absent(z.number()),
  }),
})

const Outcome = z.looseObject({ type: z.string(), exit_code: absent(z.number()) })

const ShellCallOutput = z.looseObject({
  ...{ type: z.literal('shell_call_output'), ...id, max_output_length: z.unknown().optional() },
  output: z.array(z.looseObject({ stdout: z.string(), stderr: z.string(), outcome: Outcome })),
})

const LocalShellCall = z.looseObject({
  ...{ type: z.literal('local_shell_call'), ...id },
  action: z.looseObject({
    type: z.literal('exec'),
    command: z.array(z.string()),
    env: absent(z.record(z.string(), z.string())),
    working_directory: absent(z.string()),
    timeout_ms: absent(z.number()),
    user: absent(z.string()),
  }),
})

/** The documents name the call by `id`, and clients by `call_id` as everywhere else. */
const LocalShellCallOutput = z
  .looseObject({
    type: z.literal('local_shell_call_output'),
    id: absent(z.string()),
    call_id: absent(z.string()),
    output: z.string(),
  })
  .refine((item) => (item.call_id ?? item.id) !== undefined, {
    path: ['call_id'],
    error: 'the id of the call is missing',
  })

const ApplyPatchCall = z.looseObject({
  ...{ type: z.literal('apply_patch_call'), ...id },
  operation: z.looseObject({
    type: z.enum(['create_file', 'update_file', 'delete_file']),
    path: z.string(),
    diff: absent(z.string()),
  }),
})

const ApplyPatchCallOutput = z.looseObject({
  ...{ type: z.literal('apply_patch_call_output'), ...id },
  status: z.enum(['completed', 'failed']),
  output: absent(z.string()),
})

export const CLIENT_CALLS = [ShellCall, LocalShellCall, ApplyPatchCall] as const
export const CLIENT_OUTPUTS = [ShellCallOutput, LocalShellCallOutput, ApplyPatchCallOutput] as const

/** Whose calls they are. */
export const CLIENT_CALLED = {
  shell_call: 'shell',
  local_shell_call: 'local_shell',
  apply_patch_call: 'apply_patch',
} as const

type Call = z.infer<(typeof CLIENT_CALLS)[number]>
type Output = z.infer<(typeof CLIENT_OUTPUTS)[number]>

/** The arguments of the function that the model called. */
export function clientArguments(item: Call): string {
  switch (item.type) {
    case 'shell_call': {
      const { commands, timeout_ms, max_output_length } = item.action
      return json({ commands, timeout_ms, max_output_length })
    }
    case 'local_shell_call': {
      const { command, working_directory, env, timeout_ms, user } = item.action
      return json({ command, working_directory, env, timeout_ms, user })
    }
    case 'apply_patch_call': {
      const { type, path, diff } = item.operation
      return json({ type, path, diff })
    }
  }
}

const json = (members: object) => JSON.stringify(defined(members))

type ToolMessage = Extract<ChatMessage, { role: 'tool' }>

export function clientResult(item: Output): ToolMessage {
  const result = (callId: string, text: string): ToolMessage => ({
    ...{ role: 'tool', callId },
    content: [{ type: 'text', text }],
  })
  switch (item.type) {
    case 'shell_call_output':
      return result(item.call_id, item.output.map(printed).join('\n\n'))
    case 'local_shell_call_output':
      return result(item.call_id ?? item.id ?? '', item.output)
    case 'apply_patch_call_output': {
      const isFailed = item.status === 'failed'
      // Vendors refuse an empty result.
      const message = result(item.call_id, item.output || item.status)
      return isFailed ? { ...message, isError: true } : message
    }
  }
}

/** As a terminal shows it. */
function printed({ stdout, stderr, outcome }: Extract<Output, { type: 'shell_call_output' }>['output'][number]) {
  const end = outcome.type === 'timeout' ? 'timed out' : `exit code ${outcome.exit_code ?? 'unknown'}`
  return [stdout, stderr, `[${end}]`]
    .map((part) => part.trimEnd())
    .filter((part) => part !== '')
    .join('\n')
}
