import type { ChatRequest, ChatTool } from '../chat.ts'
import { countOf } from '../count.ts'
import { defined, type Fields, fieldsOf, isFields, jsonOrUndefined, listOf, textOf } from '../json.ts'
import type { Called, Item, Status } from './items.ts'

/*
 * OpenAI defines some tools that run at the client: two shells, and changes of files by patches. Its models know them by their
 * type alone; other models get them as functions with these arguments, and the client gets the calls as items of its own types.
 */

export type ClientTool = NonNullable<ChatTool['client']>['type']
export const CLIENT_TOOLS: readonly ClientTool[] = ['shell', 'local_shell', 'apply_patch']

export const isClientTool = (type: string): type is ClientTool => CLIENT_TOOLS.some((known) => known === type)

/** A client tool as a function; `own` is the tool as the caller wrote it. */
export function clientTool(type: ClientTool, name: string, own: Fields): ChatTool {
  const { description, properties, required } = KINDS[type].function
  const parameters = { type: 'object', properties, required, additionalProperties: false }
  return { name, description: description + skillsIn(own), parameters, client: { ...own, type } }
}

/** Which of the functions are client tools. */
export const clientTools = ({ tools = [] }: ChatRequest): ReadonlyMap<string, ClientTool> =>
  new Map(tools.flatMap(({ name, client }) => (client === undefined ? [] : [[name, client.type]])))

/** Without readable arguments it is a call that does nothing: the client runs it, and the model sees that from the result. */
export function clientCallItem(
  type: ClientTool,
  id: string,
  { status, call }: { status: Status; call: Called & { arguments: string } },
): Item {
  const { prefix, item } = KINDS[type]
  return {
    ...{ id: `${prefix}_${id}`, type: `${type}_call`, call_id: call.id },
    ...item(fieldsOf(jsonOrUndefined(call.arguments)), status),
  }
}

interface Kind {
  function: { description: string; properties: Fields; required: string[] }
  /** Of the ids of its calls. */
  prefix: string
  item(args: Fields, status: Status): Fields
}

const text = (description: string) => ({ type: 'string', description })
const whole = (description: string) => ({ type: 'integer', description })
const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description })

const TIMEOUT = whole('After how many milliseconds it is stopped')

const KINDS: Record<ClientTool, Kind> = {
  shell: {
    function: {
      description:
        "Runs commands in a shell on the user's computer and returns what each one printed, and its exit code or that it took too long.",
      properties: {
        commands: texts('The commands, which may run at the same time'),
        timeout_ms: TIMEOUT,
        max_output_length: whole('How many characters of the output are returned'),
      },
      required: ['commands'],
    },
    prefix: 'sh',
    item: ({ commands, timeout_ms, max_output_length }, status) => ({
      status,
      action: {
        commands: textsIn(commands),
        timeout_ms: countOf(timeout_ms) ?? null,
        max_output_length: countOf(max_output_length) ?? null,
      },
      environment: { type: 'local' },
    }),
  },
  local_shell: {
    function: {
      description: "Runs a command on the user's computer and returns what it printed.",
      properties: {
        command: texts('The program and its arguments, as in ["bash", "-lc", "ls | wc -l"]'),
        working_directory: text('The folder in which it runs'),
        env: { type: 'object', additionalProperties: { type: 'string' }, description: 'Environment variables' },
        timeout_ms: TIMEOUT,
        user: text('The user as whom it runs'),
      },
      required: ['command'],
    },
    prefix: 'lsh',
    item: ({ command, working_directory, env, timeout_ms, user }, status) => ({
      status,
      // Clients take a member that is null for a mistake.
      action: defined({
        type: 'exec',
        command: typeof command === 'string' ? ['bash', '-lc', command] : textsIn(command),
        env: Object.fromEntries(Object.entries(fieldsOf(env)).filter(([, value]) => typeof value === 'string')),
        working_directory: textOf(working_directory),
        timeout_ms: countOf(timeout_ms),
        user: textOf(user),
      }),
    }),
  },
  apply_patch: {
    function: {
      description: [
        'Creates, changes or deletes one file of the workspace.',
        'The diff of a new file is its text with a + before each line.',
        'The diff of a change consists of sections. A section begins with a line @@, which may name the enclosing function or class' +
          ' (@@ def area():) to find the place; line numbers are not used. It contains about three unchanged lines before and after' +
          ' the change, each with a space before it, removed lines with a - and added lines with a +.',
      ].join('\n'),
      properties: {
        type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'] },
        path: text('The path of the file, relative to the workspace'),
        diff: text('For create_file and update_file: the diff, without headers or file names'),
      },
      required: ['type', 'path'],
    },
    prefix: 'apc',
    // A cut one is not complete, for which this item has no other status.
    item: (args, status) => ({
      status: status === 'incomplete' ? 'in_progress' : status,
      operation: operationIn(args),
    }),
  },
}

/** Some models write a list of one text as that text. */
const textsIn = (value: unknown) =>
  typeof value === 'string' ? [value] : listOf(value).filter((one) => typeof one === 'string')

/** Some models repeat the nesting that they know from OpenAI's own form. */
function operationIn(args: Fields) {
  const { type, path, diff } = isFields(args.operation) ? args.operation : args
  const at = { path: textOf(path) ?? '' }
  if (type === 'delete_file') return { type, ...at }
  return { type: type === 'create_file' ? type : 'update_file', ...at, diff: textOf(diff) ?? '' }
}

/** The caller's instructions for certain tasks, in folders of its computer. */
function skillsIn({ environment }: Fields) {
  const skills = listOf(fieldsOf(environment).skills).map(fieldsOf)
  if (skills.length === 0) return ''
  const lines = skills.map(({ name, path, description }) => `- ${name} (${path}): ${description}`)
  return `\nSkills for certain tasks; read SKILL.md in the folder of one before using it:\n${lines.join('\n')}`
}
