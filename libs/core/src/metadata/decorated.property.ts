import type { EntityMetadata, EntityProperty, Platform } from '@mikro-orm/core';
import type { ColumnType } from '../model/column.type.js';
import type { JsonSchema } from '../model/json.schema.js';
import type { ClassValidator, Issue } from './classes/class.validator.js';
import { entityValue } from './entity.value.js';
import { isConditional, keywordsOf, type Constraint } from './constraint.keywords.js';
import { conversionOf } from './suggested.column.js';

const identifiers = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;

/** Options that skip missing properties: an object that has one property only does not miss the others. */
const options = { skipMissingProperties: true, stopAtFirstError: true };

/** A property with class-validator's decorators: what they say about a value that an entity would hold. */
export class DecoratedProperty {
  constructor(
    private readonly library: ClassValidator,
    private readonly meta: EntityMetadata,
    private readonly property: EntityProperty,
    private readonly platform: Platform,
  ) {}

  /** True if there are decorators at all. */
  get isDecorated(): boolean {
    return this.#constraints.length > 0;
  }

  /** True if one of them has to wait for its answer. */
  get isAsync(): boolean {
    const storage = this.library.getMetadataStorage();
    return this.#constraints.some(({ constraintCls }) =>
      storage.getTargetValidatorConstraints(constraintCls).some((constraint) => constraint.async),
    );
  }

  /** The schema that the decorators give, as far as the entity holds the values that clients send. */
  get schema(): JsonSchema {
    const constraints = this.#constraints;
    if (isConditional(constraints) || conversionOf(this.property) !== undefined) return {};
    const {
      type: _type,
      format: _format,
      ...keywords
    } = Object.assign({}, ...constraints.filter(({ each }) => each !== true).map(keywordsOf)) as JsonSchema;
    return keywords;
  }

  complaint(value: unknown, type: ColumnType, columnName: string): string | undefined {
    return this.#message(this.library.validateSync(this.#holding(value, type), options), columnName);
  }

  async asyncComplaint(value: unknown, type: ColumnType, columnName: string): Promise<string | undefined> {
    return this.#message(await this.library.validate(this.#holding(value, type), options), columnName);
  }

  get #constraints(): readonly (Constraint & { readonly constraintCls?: object })[] {
    return this.library
      .getMetadataStorage()
      .getTargetValidationMetadatas(this.meta.class, '', false, false)
      .filter(({ propertyName }) => propertyName === this.property.name);
  }

  /** Not made by the constructor, and defined past the accessors that MikroORM gives to entities. */
  #holding(json: unknown, type: ColumnType): object {
    const { property, platform } = this;
    const value = entityValue({ type, property, conversion: conversionOf(property) }, json, platform);
    const entity = Object.create(this.meta.class.prototype as object) as object;
    return Object.defineProperty(entity, property.name, { value, enumerable: true });
  }

  /** class-validator names the property; a client knows it under another name. */
  #message(issues: readonly Issue[], columnName: string): string | undefined {
    const { name } = this.property;
    const issue = issues.find(({ property }) => property === name);
    const message = issue === undefined ? undefined : firstMessage(issue);
    return message?.replace(identifiers, (word) => (word === name ? columnName : word));
  }
}

/** An issue of a nested object has no message of its own. */
function firstMessage({ constraints = {}, children = [] }: Issue): string {
  const [own] = Object.values(constraints);
  return own ?? children.map(firstMessage)[0] ?? 'value is not valid';
}
