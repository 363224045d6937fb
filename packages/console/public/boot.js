/*
 * Runs before anything is painted or loaded. A file of its own, because the content security policy allows no inline
 * script.
 */

// zod compiles its parsers with `new Function`, which the policy refuses; it reads this before its first schema.
globalThis.__zod_globalConfig = { jitless: true }

// The colour scheme has to stand before the first paint, otherwise a dark console flashes white.
try {
  const chosen = localStorage.getItem('color_scheme') || JSON.parse(localStorage.getItem('status') || '{}').theme
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  const locale = localStorage.getItem('locale')
  if (locale) document.documentElement.lang = locale
} catch {
  // Storage is closed to us, or its content is not ours: the defaults of the page stand.
}

// The page's own code is fetched together with the console's, not after it. The build has put the list of files here.
try {
  const pages = JSON.parse(document.currentScript.dataset.pages || '{"visitor":{},"user":{}}')
  const path = location.pathname.replace(/\/\d+$/, '/$id')
  const files = localStorage.getItem('user') ? pages.user[path] : pages.visitor[path] || pages.visitor['/login']
  for (const file of files || []) {
    const link = document.createElement('link')
    link.rel = file.endsWith('.js') ? 'modulepreload' : 'preload'
    if (link.rel === 'preload') link.as = 'style'
    link.crossOrigin = ''
    link.href = `/${file}`
    document.head.append(link)
  }
} catch {
  // Without storage the console finds its files by itself, a little later.
}
