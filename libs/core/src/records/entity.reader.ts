import type { ColumnPath, Model } from '../model/model.js';
import type { ListPlan, Selection } from '../query/query.plan.js';
import { NameTable } from '../wire/name.table.js';
import type { Database, RequestEntityManager } from './database.js';
import type { Dialect } from './dialect.js';
import { RecordReader } from './record.reader.js';
import { refuseRounded } from './rounded.key.js';

/** A record with its columns under internal names, and the entity it was read from. */
export interface LoadedRecord {
  readonly record: Readonly<Record<string, unknown>>;
  readonly entity: object;
}

interface KeyedRecord {
  readonly id: unknown;
  readonly record: Readonly<Record<string, unknown>>;
}

/** Reads records as plain values together with their entities, for functions of the user's configuration. */
export class EntityReader {
  readonly #dialect: Dialect;
  readonly #reader: RecordReader;
  readonly #relations: readonly string[];

  constructor(
    database: Database,
    private readonly model: Model,
    selection: Selection,
    names: NameTable,
  ) {
    const { idColumn } = model;
    const id = { text: idColumn.name, relations: [], column: idColumn };
    const keyed: Selection = [
      { kind: 'column', name: 'id', path: id },
      { kind: 'parent', name: 'record', presence: id, members: selection },
    ];
    this.#dialect = database.dialect;
    this.#reader = new RecordReader(database, model, keyed, new NameTable(names.internal, names.internal));
    this.#relations = relationsOf(selection);
  }

  async readBack(em: RequestEntityManager, id: unknown): Promise<LoadedRecord | undefined> {
    const text = await this.#reader.readBack(em, id);
    return text === undefined ? undefined : (await this.#loaded(em, [JSON.parse(text) as KeyedRecord]))[0];
  }

  async find(
    em: RequestEntityManager,
    lookup: ColumnPath,
    value: unknown,
  ): Promise<LoadedRecord | undefined> {
    const text = await this.#reader.find(em, lookup, value);
    return text === undefined ? undefined : (await this.#loaded(em, [JSON.parse(text) as KeyedRecord]))[0];
  }

  async list(em: RequestEntityManager, plan: ListPlan): Promise<{ records: LoadedRecord[]; total: number }> {
    const { data, total } = await this.#reader.list(em, plan);
    return { records: await this.#loaded(em, JSON.parse(data) as KeyedRecord[]), total };
  }

  /** One statement for all entities of a page, and one for each relation. The keys were read through the filters. */
  async #loaded(em: RequestEntityManager, records: readonly KeyedRecord[]): Promise<LoadedRecord[]> {
    const key = this.model.idColumn.property.name;
    for (const { id } of records) refuseRounded(this.#dialect, this.model, id);
    const where = { [key]: { $in: records.map(({ id }) => id) } };
    const entities = await em.find<object>(this.model.meta.class, where, { filters: false });
    await em.populate(entities, this.#relations as never);
    const byId = new Map(entities.map((entity) => [String(Reflect.get(entity, key)), entity]));
    return records.flatMap(({ id, record }) => {
      const entity = byId.get(String(id));
      return entity === undefined ? [] : [{ record, entity }];
    });
  }
}

function relationsOf(selection: Selection, prefix = ''): string[] {
  return selection.flatMap((member) =>
    member.kind === 'column' || member.presence === undefined
      ? []
      : [`${prefix}${member.name}`, ...relationsOf(member.members, `${prefix}${member.name}.`)],
  );
}
