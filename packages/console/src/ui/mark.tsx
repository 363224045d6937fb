/** Two posts and a raised bar: the sign of the house, in the colour of the text around it. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <rect x="3" y="9" width="4" height="12" rx="1.2" />
      <rect x="17" y="15" width="4" height="6" rx="1.2" />
      <path d="M5.4 7.9 19.7 2.3a1.3 1.3 0 0 1 1.7.75 1.3 1.3 0 0 1-.75 1.7L6.4 10.3a1.3 1.3 0 0 1-1.7-.73 1.3 1.3 0 0 1 .7-1.67Z" />
    </svg>
  )
}
