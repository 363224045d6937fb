import type { Words } from '../words.ts'
import type { zh } from '../zh/pages.ts'

export const en: Words<typeof zh> = {
  about: 'About',
  aboutDefault: (name) => `${name} is an AI model API gateway: one interface for the models of many providers.`,
  aboutHelp: 'Administrators can set the content of this page under Settings, Other: HTML, Markdown, or an https URL.',
  goSettings: 'Open settings',
  goGuide: 'Read the guide',
  aboutFailed: 'Could not load the about page',
  chat: 'Chat',
  chatNone: 'No chat page yet',
  chatNoneHelp: 'Administrators can set the chat page link under Settings, Operation.',
}
