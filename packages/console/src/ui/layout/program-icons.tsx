import { icon } from './icons.tsx'

/* Separate from the others, which every visitor loads: only one page shows these. */

export const IconAsterisk = icon('asterisk')
export const IconBraces = icon('braces')
export const IconBrandGoogle = icon('brand-google')
export const IconBrandOpenai = icon('brand-openai')
export const IconCherry = icon('cherry')
export const IconMessageChatbot = icon('message-chatbot')
export const IconPrompt = icon('prompt')
export const IconRobotFace = icon('robot-face')
export const IconSparkles = icon('sparkles')
export const IconTerminal2 = icon('terminal-2')
export const IconWorld = icon('world')
