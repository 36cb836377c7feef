type Method = (...asked: readonly unknown[]) => unknown;

/** Looks at what a method of an object is asked and gives while some work is done, and no longer: what is asked otherwise stays unseen. */
export function watching<T>(
  owner: object,
  name: string,
  see: (given: unknown, asked: readonly unknown[]) => void,
  work: () => T,
): T {
  const method: unknown = Reflect.get(owner, name);
  const seen: Method = (...asked) => {
    const given: unknown = Reflect.apply(method as Method, owner, asked);
    see(given, asked);
    return given;
  };
  Reflect.set(owner, name, seen);
  try {
    return work();
  } finally {
    Reflect.set(owner, name, method);
  }
}
