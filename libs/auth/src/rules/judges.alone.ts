import type { Authorization } from '@nest-endpoints/core';

/** True if the methods of a rule are those of the given class, so that it is known what they look at. */
export function judgesAlone(rule: Authorization, prototype: Authorization): boolean {
  return ['gate', 'filterModel'].every((name) => Reflect.get(rule, name) === Reflect.get(prototype, name));
}

/** True if the records that a rule lets be seen are those of a class, whoever is let in. */
export function narrowsAlone(rule: Authorization, prototype: Authorization): boolean {
  return rule.filterModel === prototype.filterModel;
}
