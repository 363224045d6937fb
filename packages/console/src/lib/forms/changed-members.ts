/** What an edit sends: the members that differ from what the form was opened with, so that a change made elsewhere meanwhile stays. */
export const changedMembers = <T extends object>(before: T, after: T): Partial<T> =>
  // A part of T has the shape of a part of T.
  Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(before, name)),
    ),
  ) as Partial<T>
