import type { Model } from '../model/model.js';
import type { ListPlan, Selection } from '../query/query.plan.js';
import { NameTable } from '../wire/name.table.js';
import type { Database } from './database.js';
import type { Dialect } from './sql/dialect.js';
import { RecordReader } from './record.reader.js';
import type { LoadedReading, LoadedRecord, RecordPage } from './record.store.js';
import type { Fragment } from './sql/statement.js';
import { refuseRounded } from './rounded.key.js';
import type { Session } from './session.js';

interface KeyedRecord {
  readonly id: unknown;
  readonly record: Readonly<Record<string, unknown>>;
}

/** Reads records as plain values together with their entities, for functions of the user's configuration. */
export class EntityReader implements LoadedReading {
  readonly #dialect: Dialect;
  readonly #reader: RecordReader;
  readonly #relations: readonly string[];

  constructor(
    database: Database,
    private readonly model: Model,
    selection: Selection,
    names: NameTable,
  ) {
    const id = model.idPath;
    const keyed: Selection = [
      { kind: 'column', name: 'id', path: id },
      { kind: 'parent', name: 'record', presence: id, members: selection },
    ];
    this.#dialect = database.dialect;
    this.#reader = new RecordReader(database, model, keyed, new NameTable(names.internal, names.internal));
    this.#relations = relationsOf(selection);
  }

  async readBack(session: Session, id: unknown): Promise<LoadedRecord | undefined> {
    const text = await this.#reader.readBack(session, id);
    return text === undefined
      ? undefined
      : (await this.#loaded(session, [JSON.parse(text) as KeyedRecord]))[0];
  }

  async find(
    session: Session,
    conditions: ListPlan['conditions'],
    narrowed: readonly Fragment[],
  ): Promise<LoadedRecord | undefined> {
    const text = await this.#reader.find(session, conditions, narrowed);
    return text === undefined
      ? undefined
      : (await this.#loaded(session, [JSON.parse(text) as KeyedRecord]))[0];
  }

  async list(
    session: Session,
    plan: ListPlan,
    narrowed: readonly Fragment[],
  ): Promise<RecordPage<readonly LoadedRecord[]>> {
    const { data, ...facts } = await this.#reader.list(session, plan, narrowed);
    return { data: await this.#loaded(session, JSON.parse(data) as KeyedRecord[]), ...facts };
  }

  /** One statement for all entities of a page, and one for each relation. The keys were read through the filters. */
  async #loaded({ em }: Session, records: readonly KeyedRecord[]): Promise<LoadedRecord[]> {
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
    // Lists of related records may be long, and are in the record already.
    member.kind !== 'parent' || member.presence === undefined
      ? []
      : [`${prefix}${member.name}`, ...relationsOf(member.members, `${prefix}${member.name}.`)],
  );
}
