// Decorators without a compiler: what TypeScript would make of them.

/** Puts decorators on a class, the last one first, as TypeScript does. */
export function decorateClass(target, ...decorators) {
  for (const decorator of decorators.toReversed()) decorator(target);
}

/** Decorates a method; `takes` has each parameter's type and its decorators, which is what Nest and its pipes read. */
export function decorateMethod(target, name, decorators, takes = []) {
  const { prototype } = target;
  Reflect.defineMetadata(
    'design:paramtypes',
    takes.map(([type]) => type),
    prototype,
    name,
  );
  for (const [index, [, ...parameter]] of takes.entries())
    for (const decorator of parameter) decorator(prototype, name, index);
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
  for (const decorator of decorators.toReversed()) decorator(prototype, name, descriptor);
}

/** Decorates properties: a list of decorators for each name. */
export function decorateProperties(target, properties) {
  for (const [name, { type, decorators }] of Object.entries(properties)) {
    Reflect.defineMetadata('design:type', type, target.prototype, name);
    for (const decorator of decorators.toReversed()) decorator(target.prototype, name);
  }
}

/** What a class is to be given, by position. */
export function inject(target, ...decorators) {
  for (const [index, decorator] of decorators.entries()) decorator(target, undefined, index);
}
