/** A text as a part of a regular expression that matches just it. */
export const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
