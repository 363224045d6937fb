/** Called with what remains of a description after its options were read, so that an option nobody reads does not compile. */
export function allRead(_rest: Record<string, never>) {}
