import type { EntityMetadata } from '@mikro-orm/core';
import type { Database } from '../../database/database.js';
import type { Model } from '../../model/model.js';
import type { GroupMember, GroupPlan, Measure } from '../../query/groups/group.plan.js';
import { criteriaValues, inOneOrder, relationUses } from '../../query/criterion.js';
import { literalPattern } from '../../query/like.pattern.js';
import { conditionWords } from '../../sql/condition.writer.js';
import { knowsTimeZones } from '../../sql/groups/group.calculation.js';
import { groupWords, type GroupsShape } from '../../sql/groups/group.shape.js';
import { groupCountStatement, groupsStatement } from '../../sql/groups/group.statement.js';
import type { Fragment } from '../../sql/restriction.js';
import type { Row, RowLayout } from '../../sql/row.layout.js';
import { StatementCache } from '../../sql/statement.cache.js';
import type { StatementInputs } from '../../sql/statement.js';
import type { Session } from '../../visibility/session.js';
import { entitiesOf, shaped } from '../page.reader.js';
import type { GroupPage, GroupReading } from '../record.store.js';
import { TimeZones } from './time.zones.js';

/** Reads groups of the records of one endpoint: one statement for a page, and one for the number of groups where it is told. */
export class GroupReader implements GroupReading {
  readonly #statements = new StatementCache();
  readonly #own: ReadonlySet<EntityMetadata>;
  readonly #zones: TimeZones;
  readonly knowsTimeZones: boolean;

  constructor(
    private readonly database: Database,
    private readonly model: Model,
  ) {
    this.#own = new Set([model.meta]);
    this.#zones = TimeZones.of(database);
    this.knowsTimeZones = knowsTimeZones(database.dialect);
  }

  knowsTimeZone(name: string): Promise<boolean> {
    return this.#zones.has(name);
  }

  async groups(
    session: Session,
    plan: GroupPlan,
    layout: RowLayout,
    narrowed: readonly Fragment[],
  ): Promise<GroupPage> {
    const { shape, inputs } = await this.#asked(session, plan, layout, narrowed);
    const rows = await this.#run(session, 'rows', shape, inputs);
    const { limit, start } = plan;
    const hasMore = plan.groupings.length > 0 && rows.length > limit;
    const isTold = !hasMore && (rows.length > 0 || start === 0);
    const counted = async (): Promise<number> =>
      isTold ? start + rows.length : Number((await this.#run(session, 'count', shape, inputs))[0]?.[0]);
    return {
      rows: hasMore ? rows.slice(0, limit) : rows,
      hasMore,
      total: plan.counts ? await counted() : undefined,
    };
  }

  /** Parts what tells statements apart from the values that a request brings. */
  async #asked(
    session: Session,
    plan: GroupPlan,
    layout: RowLayout,
    narrowed: readonly Fragment[],
  ): Promise<{ readonly shape: GroupsShape; readonly inputs: StatementInputs }> {
    const { dialect } = this.database;
    const { groupings, minimum, limit, start, timeZone, prefix } = plan;
    const conditions = inOneOrder(plan.conditions);
    const having = plan.having.toSorted((one, other) => compared(wordOf(one), wordOf(other)));
    const measures = distinct([...plan.measures, ...having.map(({ measure }) => measure)]);
    const uses = [
      ...relationUses(conditions),
      ...groupings,
      ...measures.flatMap(({ path }) => (path === undefined ? [] : { path })),
    ];
    const restrictions = await session.restrictionsOf(entitiesOf(this.#own, uses));
    const shape: GroupsShape = {
      model: this.model,
      conditions: shaped(dialect, conditions),
      restrictions,
      narrowed,
      groupings,
      measures,
      shown: shownIn(layout, [...groupings, ...measures]),
      having: having.map(({ measure, comparison, value }) => ({
        measure,
        comparison,
        listLength: Array.isArray(value) && !dialect.bindsLists ? value.length : 0,
      })),
      order: plan.sorts,
      minimum,
      hasPattern: prefix !== undefined,
    };
    const inputs: StatementInputs = {
      values: criteriaValues(conditions),
      measured: having.map(({ value }) => value),
      restrictions,
      narrowed,
      limit,
      start,
      timeZone,
      ...(prefix === undefined ? {} : { pattern: `${literalPattern(prefix)}%` }),
    };
    return { shape, inputs };
  }

  #run(
    session: Session,
    use: 'rows' | 'count',
    shape: GroupsShape,
    inputs: StatementInputs,
  ): Promise<readonly Row[]> {
    const { dialect } = this.database;
    const { tables } = session;
    const { conditions, restrictions, narrowed = [] } = shape;
    const key = [use, ...groupWords(shape), ...conditionWords(conditions)];
    const statement = this.#statements.get(tables, key, restrictions, narrowed, () =>
      use === 'rows' ? groupsStatement(dialect, tables, shape) : groupCountStatement(dialect, tables, shape),
    );
    return session.run(statement, inputs);
  }
}

/** The members in the order of the rows. */
function shownIn({ columns }: RowLayout, members: readonly GroupMember[]): readonly GroupMember[] {
  return columns.flatMap(({ text }) => members.find((member) => member.text === text) ?? []);
}

function distinct(measures: readonly Measure[]): readonly Measure[] {
  return [...new Map(measures.map((measure) => [measure.text, measure])).values()];
}

function wordOf({ measure, comparison }: GroupPlan['having'][number]): string {
  return `${measure.text} ${comparison}`;
}

function compared(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
