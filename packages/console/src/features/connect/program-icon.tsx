import {
  IconAsterisk,
  IconBraces,
  IconBrandGoogle,
  IconBrandOpenai,
  IconCherry,
  IconMessageChatbot,
  IconPrompt,
  IconRobotFace,
  IconSparkles,
  IconTerminal2,
  IconWorld,
} from '../../ui/layout/program-icons.tsx'
import classes from './program-icon.module.css'

/** An icon to recognise a program by; they are ours, not the programs' own logos. */
const PICTURES: Record<string, { icon: typeof IconAsterisk; hue: number }> = {
  'claude-code': { icon: IconAsterisk, hue: 25 },
  codex: { icon: IconPrompt, hue: 160 },
  'gemini-cli': { icon: IconSparkles, hue: 225 },
  opencode: { icon: IconBraces, hue: 270 },
  'qwen-code': { icon: IconRobotFace, hue: 255 },
  aider: { icon: IconTerminal2, hue: 140 },
  'cherry-studio': { icon: IconCherry, hue: 350 },
  'lobe-chat': { icon: IconMessageChatbot, hue: 45 },
  'open-webui': { icon: IconWorld, hue: 200 },
  openai: { icon: IconBrandOpenai, hue: 160 },
  anthropic: { icon: IconAsterisk, hue: 25 },
  google: { icon: IconBrandGoogle, hue: 225 },
}

export function ProgramIcon({ id, size = 28 }: { id: string; size?: number }) {
  const { icon: Icon, hue } = PICTURES[id] ?? { icon: IconTerminal2, hue: 200 }
  const color = `light-dark(hsl(${hue} 55% 36%), hsl(${hue} 65% 76%))`
  return (
    <span className={classes.tile} style={{ width: size, height: size, color }} aria-hidden>
      <Icon size={Math.round(size * 0.6)} stroke={1.75} />
    </span>
  )
}
