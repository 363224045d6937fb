import { type Fields, isFields, textOf } from '../json.ts'

/*
 * Anthropic defines some tools that run at the client: a shell, an editor, a screen, a memory. Claude knows them by their
 * type alone; other models get them as functions with these arguments, and the client runs them all the same.
 */

/** Adds the schema of a client tool; other tools are returned unchanged. */
export function asFunction(tool: unknown): unknown {
  const type = isFields(tool) ? (textOf(tool.type) ?? '') : ''
  const known = Object.entries(KINDS).find(([kind]) => type.startsWith(kind) && /^\d{8}$/.test(type.slice(kind.length)))
  if (!isFields(tool) || known === undefined) return tool
  const { description, properties, required } = known[1](tool)
  const { name, cache_control } = tool
  return { name, cache_control, description, input_schema: { type: 'object', properties, required } }
}

interface Described {
  description: string
  properties: Fields
  required: string[]
}

const text = (description: string) => ({ type: 'string', description })
const whole = (description: string) => ({ type: 'integer', description })
const oneOf = (...values: string[]) => ({ type: 'string', enum: values })
const pair = (description: string) => ({
  ...{ type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 },
  description,
})

const EDITS = {
  path: text('The absolute path of a file or folder'),
  file_text: text('For create: the whole text of the new file'),
  old_str: text('For str_replace: the text to be replaced, which has to occur exactly once'),
  new_str: text('For str_replace: what takes its place'),
  insert_line: whole('For insert: the line after which the text goes, 0 for the beginning'),
  insert_text: text('For insert: the text'),
  view_range: pair('For view: the first and the last line, -1 for the end'),
}

const KINDS: Record<string, (tool: Fields) => Described> = {
  bash_: () => ({
    description: 'Runs a command in a bash shell that keeps its state from one call to the next.',
    properties: {
      command: text('The command'),
      restart: { type: 'boolean', description: 'True to start the shell anew, without a command' },
    },
    required: [],
  }),
  text_editor_: ({ name }) => ({
    description: 'Views, creates and edits text files.',
    properties: {
      command: oneOf(
        ...['view', 'create', 'str_replace', 'insert'],
        // Only the editor of this name has the command.
        ...(name === 'str_replace_editor' ? ['undo_edit'] : []),
      ),
      ...EDITS,
    },
    required: ['command', 'path'],
  }),
  memory_: () => ({
    description: 'Keeps notes in files under /memories, which outlast the conversation.',
    properties: {
      command: oneOf('view', 'create', 'str_replace', 'insert', 'delete', 'rename'),
      ...EDITS,
      old_path: text('For rename: the path as it is'),
      new_path: text('For rename: the path as it shall be'),
    },
    required: ['command'],
  }),
  computer_: ({ display_width_px: width, display_height_px: height }) => ({
    description: `Uses the screen, the mouse and the keyboard of a computer. The screen is ${width} pixels wide and ${height} high.`,
    properties: {
      action: oneOf(
        ...['screenshot', 'key', 'type', 'mouse_move', 'left_click', 'right_click', 'middle_click', 'double_click'],
        ...['triple_click', 'left_click_drag', 'left_mouse_down', 'left_mouse_up', 'scroll', 'hold_key', 'wait'],
        ...['cursor_position', 'zoom'],
      ),
      coordinate: pair('Where, as x and y in pixels from the upper left corner'),
      start_coordinate: pair('For left_click_drag: where it begins'),
      text: text('For type: what is typed; for key and hold_key: the keys; otherwise keys that are held meanwhile'),
      duration: { type: 'number', description: 'For hold_key and wait: how many seconds' },
      scroll_direction: oneOf('up', 'down', 'left', 'right'),
      scroll_amount: whole('For scroll: how many notches of the wheel'),
      region: { type: 'array', items: { type: 'integer' }, description: 'For zoom: x and y of two opposite corners' },
    },
    required: ['action'],
  }),
}
