import type { ChatMessage, FileContent, ImageContent, TextContent, UserContent } from './chat.ts'

type ToolMessage = Extract<ChatMessage, { role: 'tool' }>

/** A message as callers write it: results of tools may contain files, which few vendors accept there. */
export type ParsedMessage =
  | Exclude<ChatMessage, ToolMessage>
  | (Omit<ToolMessage, 'content'> & { content: (TextContent | ImageContent | FileContent)[] })

/** Files that tools returned follow the results of their turn as the user's content, which every vendor that reads files accepts. */
export function withFilesAfterResults(messages: readonly ParsedMessage[]): ChatMessage[] {
  const ordered: ChatMessage[] = []
  let files: UserContent[] = []
  const flush = () => {
    if (files.length > 0) ordered.push({ role: 'user', content: files })
    files = []
  }
  for (const message of messages) {
    if (message.role === 'tool') {
      files.push(...message.content.filter((part) => part.type === 'file'))
      ordered.push({ ...message, content: message.content.map(inResult) })
    } else if (message.role === 'user') {
      ordered.push({ ...message, content: [...files, ...message.content] })
      files = []
    } else {
      flush()
      ordered.push(message)
    }
  }
  flush()
  return ordered
}

const inResult = (part: TextContent | ImageContent | FileContent): TextContent | ImageContent =>
  part.type === 'file' ? { type: 'text', text: `The file ${part.name ?? ''} follows.`.replace('  ', ' ') } : part
