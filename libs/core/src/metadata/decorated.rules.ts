import type { EntityMetadata, EntityProperty, Platform } from '@mikro-orm/core';
import type { Validator } from '../model/validator.js';
import { AsyncDecorated } from './async-decorated.validator.js';
import { Decorated } from './decorated.validator.js';
import { usedClassValidator } from './classes/class.validator.js';
import { DecoratedProperty } from './decorated.property.js';

/** The rule that class-validator's decorators on a property are; none without them, or without the package. */
export function decoratedRules(
  meta: EntityMetadata,
  property: EntityProperty,
  platform: Platform,
): readonly Validator[] {
  const library = usedClassValidator();
  if (library === undefined) return [];
  const decorated = new DecoratedProperty(library, meta, property, platform);
  if (!decorated.isDecorated) return [];
  return [decorated.isAsync ? new AsyncDecorated(decorated) : new Decorated(decorated)];
}
