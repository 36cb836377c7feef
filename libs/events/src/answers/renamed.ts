/** Gives members other names. Those that have none are left out: no document tells of them. */
export function renamed<T>(
  members: Readonly<Record<string, T>>,
  words: ReadonlyMap<string, string>,
): Readonly<Record<string, T>> {
  return Object.fromEntries(
    [...words].flatMap(([name, word]) => {
      const { [name]: member } = members;
      return member === undefined ? [] : [[word, member]];
    }),
  );
}
