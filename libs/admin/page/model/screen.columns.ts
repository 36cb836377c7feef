import type { ApiSchema, Resource, ResourceColumn } from '@nest-endpoints/client';
import type { ShownResource } from '../page.config.js';
import type { SchemaView } from './schema.view.js';
import type { ScreenColumn } from './screen.js';
import { columnWords, letters, words } from './words.js';

/** Makes columns for screens of those that the document tells of. */
export class ScreenColumns {
  /** @param all the records of the page, for those that columns refer to */
  constructor(
    private readonly view: SchemaView,
    private readonly all: readonly Resource[],
  ) {}

  /** All columns of some records: those of parents, too, as paths. */
  of(resource: Resource, { references = {} }: Partial<ShownResource>): readonly ScreenColumn[] {
    return [...resource.columns.values()].flatMap((column) => {
      const own = asName(this.#column(column, references), resource.key);
      const parents =
        column.isReadable && own.sort === 'other' ? this.#inParent(column.name, column.schema) : [];
      return [own, ...parents.filter(({ name }) => !resource.columns.get(name)?.isReadable)];
    });
  }

  /** The columns of a record within another one. */
  nested(schema: ApiSchema): readonly ScreenColumn[] {
    const { properties = {}, required = [] } = this.view.resolved(schema);
    return Object.entries(properties).map(([name, one]) => ({
      ...this.#plain(name, one),
      ...{ isRequired: required.includes(name), isCreatable: true, isUpdatable: true },
      reference: this.#reference(name, {}),
    }));
  }

  #column(column: ResourceColumn, references: Readonly<Record<string, string>>): ScreenColumn {
    const { name, schema, isRequired, isCreatable, isUpdatable, isSortable, operators } = column;
    const isOwn = isCreatable || isUpdatable || operators.length > 0;
    return {
      ...this.#plain(name, schema),
      ...{ isRequired, isCreatable, isUpdatable, isSortable, operators },
      reference: isOwn ? this.#reference(name, references) : undefined,
    };
  }

  #plain(name: string, given: ApiSchema): ScreenColumn {
    const schema = this.view.resolved(given);
    const choices = (schema.enum ?? []).filter(
      (value): value is string | number => typeof value === 'string' || typeof value === 'number',
    );
    return {
      ...{ name, label: columnWords(name), sort: this.view.sortOf(name, given), choices },
      isNullable: this.view.isNullable(given),
      ...{ isRequired: false, isCreatable: false, isUpdatable: false, isSortable: false, operators: [] },
      ...{ initial: given.default ?? schema.default, reference: undefined },
    };
  }

  /** One level is enough for a list: the parents of parents are theirs. */
  #inParent(parent: string, given: ApiSchema): readonly ScreenColumn[] {
    const { properties = {} } = this.view.resolved(given);
    return Object.entries(properties).map(([name, schema]) => this.#plain(`${parent}.${name}`, schema));
  }

  /** A column is called like the entity and its key: `city_id`, `countryCode`; one of many keys `tag_ids`. */
  #reference(column: string, references: Readonly<Record<string, string>>): string | undefined {
    const wanted = Object.hasOwn(references, column) ? references[column] : undefined;
    if (wanted !== undefined) return this.all.find(({ name }) => isCalled(name, wanted))?.name;
    return this.all.find(
      ({ model, key, calls }) =>
        key !== undefined &&
        calls.list !== undefined &&
        [letters(model + key), letters(`${model}${key}s`)].includes(letters(column)),
    )?.name;
  }
}

/** True if the name is the wanted one, or ends with it. */
export function isCalled(name: string, wanted: string): boolean {
  const plain = wanted.replace(/^\/+|\/+$/g, '');
  return name === plain || name.endsWith(`/${plain}`);
}

/** A number that records are called by is no amount. */
function asName(column: ScreenColumn, key: string | undefined): ScreenColumn {
  return column.name === key && column.sort === 'number' ? { ...column, sort: 'text' } : column;
}

/** Gives columns of different labels: the key of a parent and its name are called alike where one of them stands alone. */
export function toldApart(columns: readonly ScreenColumn[]): readonly ScreenColumn[] {
  return columns.map((column) => {
    const isShared = columns.some((one) => one !== column && one.label === column.label);
    return isShared && column.name.includes('.') ? { ...column, label: words(column.name) } : column;
  });
}
