const instances = new WeakMap<object, object>();

/** Keeps which instance a method of a controller was called on: Nest may make one for each request. */
export function keepInstance(native: object, instance: object): void {
  instances.set(native, instance);
}

export function instanceOf(native: unknown): object | undefined {
  return instances.get(Object(native) as object);
}
