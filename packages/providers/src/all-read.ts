/** For what is left of a description after all its options were read: one that nobody reads does not compile. */
export function allRead(_rest: Record<string, never>) {}
