import classes from './logo.module.css'

/** The operator's logo, or ours: two posts and a raised bar (`public/logo.svg` has the drawing). */
export function Logo({ src, size }: { src: string; size: number }) {
  const own = src === '' || src === '/logo.png'
  return (
    <img
      className={classes.logo}
      data-own={own || undefined}
      src={own ? '/logo.png' : src}
      width={size}
      height={size}
      alt=""
    />
  )
}
