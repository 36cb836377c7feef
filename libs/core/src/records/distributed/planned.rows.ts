/** A plan of PostgreSQL, as `explain (format json)` has it. What Citus tells of its shards stands beside it. */
interface Plan {
  readonly 'Plan Rows'?: number;
  readonly 'Custom Plan Provider'?: string;
  readonly 'Distributed Query'?: { readonly Job?: Job };
}

/** The work of shards: the plan tells that of some of them, usually of one. */
interface Job {
  readonly 'Task Count'?: number;
  readonly Tasks?: readonly {
    readonly 'Remote Plan'?: readonly (readonly { readonly Plan?: Plan }[])[];
  }[];
}

/**
 * The number of rows that the planner expects; undefined where it does not say. On a cluster of Citus its own number is a placeholder:
 * it is that of the shards whose plans are told, as if the others were like them.
 *
 * @param told the JSON of an explained statement, which a driver may hand over as text
 */
export function plannedRows(told: unknown): number | undefined {
  const parsed: unknown = typeof told === 'string' ? JSON.parse(told) : told;
  const [explained] = parsed as readonly { readonly Plan?: Plan }[];
  const plan = explained?.Plan;
  return plan?.['Custom Plan Provider'] === undefined ? plan?.['Plan Rows'] : shardedRows(plan);
}

function shardedRows({ 'Distributed Query': query }: Plan): number | undefined {
  const { 'Task Count': count, Tasks: tasks = [] } = query?.Job ?? {};
  const rows = tasks.map((task) => task['Remote Plan']?.[0]?.[0]?.Plan?.['Plan Rows']);
  const known = rows.filter((one) => one !== undefined);
  if (count === undefined || known.length === 0 || known.length < rows.length) return undefined;
  return Math.round((known.reduce((sum, one) => sum + one, 0) * count) / known.length);
}
