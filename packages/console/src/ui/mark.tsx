/** Two posts and a raised bar: the sign of the house, in the colour of the text around it. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <rect x="2" y="11" width="5" height="11" rx="1.3" />
      <rect x="17" y="11" width="5" height="11" rx="1.3" />
      <path d="M4.5 8 18.8 2.6" stroke="currentColor" strokeWidth="3.6" strokeLinecap="round" />
    </svg>
  )
}
