import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'
import { enterChooses } from '../ui/inputs/enter-chooses.ts'

const teal: MantineColorsTuple = [
  '#eefbf8',
  '#d7f4ee',
  '#aee8de',
  '#7dd6c9',
  '#4dbfb1',
  '#2aa597',
  '#178a7f',
  '#0f766e',
  '#0c625b',
  '#094c47',
]

/** Red, green, amber and blue always carry a meaning. The seventh shade is readable under white text. */
const red: MantineColorsTuple = [
  '#fff4f3',
  '#ffe4e2',
  '#fdc8c5',
  '#faa29d',
  '#f5776f',
  '#ea4f47',
  '#d63a33',
  '#bf2a25',
  '#9f201c',
  '#7a1815',
]
const green: MantineColorsTuple = [
  '#effbf2',
  '#dbf5e2',
  '#b6e9c5',
  '#87d8a1',
  '#57c27c',
  '#33a65e',
  '#218a4a',
  '#18763d',
  '#126031',
  '#0c4925',
]
const yellow: MantineColorsTuple = [
  '#fff9eb',
  '#fdefcc',
  '#fadd97',
  '#f5c65b',
  '#eaac2c',
  '#d19013',
  '#ad730b',
  '#8f5d08',
  '#734a07',
  '#573805',
]
const blue: MantineColorsTuple = [
  '#eff6ff',
  '#dceafd',
  '#b9d4fb',
  '#8bb8f7',
  '#5c98f0',
  '#3b7de2',
  '#2a68cc',
  '#2159b3',
  '#1a4790',
  '#14376f',
]

const gray: MantineColorsTuple = [
  '#f7f8fa',
  '#eff1f4',
  '#e4e8ed',
  '#d3d9e0',
  '#b9c2cc',
  '#8f9aa7',
  '#626d7b',
  '#4a5462',
  '#343d49',
  '#1d242d',
]
const dark: MantineColorsTuple = [
  '#d8dee6',
  '#bac3ce',
  '#9aa5b3',
  '#7e8a99',
  '#36404c',
  '#29313b',
  '#1d232b',
  '#13171d',
  '#0e1116',
  '#090b0e',
]

const SOFT_SHADOW = '0 6px 24px rgba(15, 23, 32, 0.14), 0 1px 3px rgba(15, 23, 32, 0.08)'
const FAST = { duration: 120 }
const SANS =
  "system-ui, -apple-system, 'Segoe UI', 'PingFang SC', 'Hiragino Sans GB', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans', sans-serif"

/** The list itself scrolls, not a box in it: its keys are those of the field, and a box would need keys of its own. */
const SCROLLING_LIST = {
  defaultProps: { withScrollArea: false },
  styles: { options: { maxHeight: 220, overflowY: 'auto' } },
}

const SEARCHED_LIST = {
  ...SCROLLING_LIST,
  defaultProps: { ...SCROLLING_LIST.defaultProps, onKeyDownCapture: enterChooses },
}

export const theme = createTheme({
  colors: { teal, red, green, yellow, blue, gray, dark },
  primaryColor: 'teal',
  // White text is readable on the seventh shade, in both schemes; links and marks are lighter in dark mode.
  primaryShade: 7,
  black: '#171c22',
  defaultRadius: 8,
  fontFamily: SANS,
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  headings: {
    fontFamily: SANS,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '28px' },
      h2: { fontSize: '16px', lineHeight: '24px' },
      h3: { fontSize: '14px', lineHeight: '20px' },
    },
  },
  shadows: { xs: 'none', sm: SOFT_SHADOW, md: SOFT_SHADOW, lg: SOFT_SHADOW, xl: SOFT_SHADOW },
  respectReducedMotion: true,
  cursorType: 'pointer',
  // Named by text: referencing the components would load all of them with the first page.
  components: {
    Anchor: { defaultProps: { underline: 'always' } },
    Modal: {
      defaultProps: { transitionProps: FAST, centered: true },
      styles: { title: { fontSize: 16, fontWeight: 600 } },
    },
    Drawer: { defaultProps: { transitionProps: FAST } },
    // Their heads are `<header>`s, which would each be a second banner landmark of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    // Its placeholder is a focusable child, which a menu may not have; the first entry gets the focus instead.
    // A long one scrolls within the window.
    Menu: {
      defaultProps: {
        transitionProps: FAST,
        shadow: 'md',
        withInitialFocusPlaceholder: false,
        middlewares: { flip: true, shift: true, size: { padding: 8 } },
      },
      styles: { dropdown: { overflowY: 'auto' } },
    },
    Select: SEARCHED_LIST,
    MultiSelect: SEARCHED_LIST,
    TagsInput: SCROLLING_LIST,
    // A list that was opened before its entries arrived grows, and would stay where it no longer fits the window.
    Combobox: { defaultProps: { preventPositionChangeWhenVisible: false } },
    // A listbox may contain only options, even when it is empty.
    ComboboxEmpty: { defaultProps: { role: 'option', 'aria-disabled': true } },
    Popover: { defaultProps: { transitionProps: FAST, shadow: 'md' } },
    Tooltip: { defaultProps: { transitionProps: FAST, openDelay: 300 } },
  },
})

/** Panels differ slightly from the page, with a hairline instead of a shadow. */
export const variables: CSSVariablesResolver = () => ({
  variables: { '--sidebar-width': '220px', '--sidebar-width-collapsed': '60px' },
  light: {
    '--panel': '#ffffff',
    '--page': gray[0],
    '--hairline': gray[2],
    '--faint': gray[4],
    '--accent': teal[7],
    '--mantine-color-body': '#ffffff',
    '--mantine-color-error': red[7],
    ...tints((color) => ({ background: color[0], hover: color[1], text: color[8] })),
  },
  dark: {
    '--panel': dark[6],
    '--page': dark[7],
    '--hairline': dark[5],
    '--faint': dark[3],
    '--accent': teal[4],
    '--mantine-color-body': dark[6],
    '--mantine-color-error': red[3],
    ...tints((color) => ({ background: `${color[5]}26`, hover: `${color[5]}3d`, text: color[3] })),
  },
})

/** The light variant of a colour (badges, alerts, light buttons), quieter than the library's own. */
function tints(of: (color: MantineColorsTuple) => { background: string; hover: string; text: string }) {
  return Object.fromEntries(
    Object.entries({ teal, red, green, yellow, blue }).flatMap(([name, color]) => {
      const { background, hover, text } = of(color)
      return [
        [`--mantine-color-${name}-light`, background],
        [`--mantine-color-${name}-light-hover`, hover],
        [`--mantine-color-${name}-light-color`, text],
      ]
    }),
  )
}
