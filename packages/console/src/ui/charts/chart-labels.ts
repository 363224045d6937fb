const NAME_MAX = 22

/** Chinese characters and pictures are twice as wide as letters. */
const isWide = (letter: string) => letter > '\u2e80'

/** How many letters wide a text is. */
export const lettersOf = (text: string) => [...text].reduce((width, letter) => width + (isWide(letter) ? 2 : 1), 0)

/** A name that leaves room for its bar on a phone. */
export const shortened = (name: string) => {
  if (lettersOf(name) <= NAME_MAX) return name
  let kept = ''
  for (const letter of name) {
    if (lettersOf(kept + letter) >= NAME_MAX) break
    kept += letter
  }
  return `${kept}…`
}
