/** An object or list that is filled when somebody first looks into it. */
export function lazily<T extends object>(target: T, fill: (target: T) => void): T {
  let isFilled = false;
  const filled = (): T => {
    if (!isFilled) {
      isFilled = true;
      fill(target);
    }
    return target;
  };
  return new Proxy(target, {
    get: (_target, key) => Reflect.get(filled(), key) as unknown,
    has: (_target, key) => Reflect.has(filled(), key),
    ownKeys: () => Reflect.ownKeys(filled()),
    getOwnPropertyDescriptor: (_target, key) => Reflect.getOwnPropertyDescriptor(filled(), key),
  });
}
