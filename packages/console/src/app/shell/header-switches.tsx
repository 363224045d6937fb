import { UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { appText } from '../../text/app.ts'
import { switchLocale, useLocale, useText } from '../../text/text.ts'
import { IconDeviceDesktop, IconMoon, IconSun } from '../../ui/layout/icons.tsx'
import classes from './header-switches.module.css'

const NEXT = { auto: 'light', light: 'dark', dark: 'auto' } as const
const ICONS = { auto: IconDeviceDesktop, light: IconSun, dark: IconMoon } as const

/** Shows the language to switch to, in that language. */
export function LocaleSwitch() {
  const locale = useLocale()
  const [next, label, short] =
    locale === 'zh-CN' ? (['en', 'Switch to English', 'EN'] as const) : (['zh-CN', '切换到中文', '中'] as const)
  return (
    <UnstyledButton
      className={classes.switch}
      lang={next}
      aria-label={label}
      title={label}
      onClick={() => switchLocale(next)}
    >
      <span className={classes.word}>{short}</span>
    </UnstyledButton>
  )
}

/** Cycles through system, light and dark. */
export function SchemeSwitch() {
  const text = useText(appText)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const names = { auto: text.schemeAuto, light: text.schemeLight, dark: text.schemeDark }
  const label = `${text.scheme}: ${names[colorScheme]}`
  const Icon = ICONS[colorScheme]
  return (
    <UnstyledButton
      className={classes.switch}
      aria-label={label}
      title={label}
      onClick={() => setColorScheme(NEXT[colorScheme])}
    >
      <Icon size={18} stroke={1.75} aria-hidden />
    </UnstyledButton>
  )
}
