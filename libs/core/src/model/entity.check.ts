import { EntitySchema, type EntityName } from '@mikro-orm/core';
import { check } from '../options/checks.js';
import { isClass } from '../options/shown.value.js';

/** An entity, however it was declared. A function that gives one is none. */
export const entity = check(
  'the entity: its class, or what defineEntity gives',
  (value) => isClass(value) || isOlderClass(value) || EntitySchema.is(value),
);

/** A class that was compiled to a function has a prototype; a function that only gives an entity has none. */
function isOlderClass(value: unknown): boolean {
  return typeof value === 'function' && Object.hasOwn(value, 'prototype');
}

/** The class of an entity, however it was declared. */
export function classOf(declared: EntityName): unknown {
  return EntitySchema.is(declared) ? declared.meta.class : declared;
}
