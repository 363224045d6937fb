import { aider } from './aider.ts'
import { anthropicLibrary } from './anthropic-library.ts'
import { cherryStudio } from './cherry-studio.ts'
import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { geminiCli } from './gemini-cli.ts'
import { googleLibrary } from './google-library.ts'
import { lobeChat } from './lobe-chat.ts'
import { openWebui } from './open-webui.ts'
import { openAiLibrary } from './openai-library.ts'
import { opencode } from './opencode.ts'
import type { GroupName, Program } from './program.ts'
import { qwenCode } from './qwen-code.ts'

/** Every supported program, in display order. */
export const PROGRAMS: readonly [Program, ...Program[]] = [
  claudeCode,
  codex,
  geminiCli,
  opencode,
  qwenCode,
  aider,
  cherryStudio,
  lobeChat,
  openWebui,
  openAiLibrary,
  anthropicLibrary,
  googleLibrary,
]

export const GROUPS: readonly GroupName[] = ['agents', 'chats', 'libraries']

export const programNamed = (id: string | undefined): Program => PROGRAMS.find((each) => each.id === id) ?? PROGRAMS[0]
