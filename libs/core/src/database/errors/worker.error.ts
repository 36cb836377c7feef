/** The function of Citus that hands over what a worker said: its code and its words, and nothing else of the error. */
export const handedOver = 'ReportResultError';

/** The function of Citus that has lost a worker while it committed. */
export const lostCommit = 'ErrorIfPostCommitFailedShardPlacements';

/** The facts of a violated constraint that are in the words of an error. */
interface ToldViolation {
  readonly table?: string | undefined;
  readonly field?: string | undefined;
  readonly constraint?: string | undefined;
}

/** The end of the name of a shard, and of what belongs to it. */
const shardEnd = /_\d{6,}$/;

/** The names that an error of a worker quotes, by SQLSTATE: in the order in which PostgreSQL writes them. */
const told: Readonly<Record<string, (names: readonly string[]) => ToldViolation>> = {
  '23502': ([field, table]) => ({ field, table: bare(table) }),
  '23503': ([table, constraint, referring]) => ({
    table: bare(referring ?? table),
    constraint: bare(constraint),
  }),
  '23505': ([constraint]) => ({ constraint: bare(constraint) }),
  '23514': ([table, constraint]) => ({ table: bare(table), constraint }),
};

/** Reads which constraint was violated from the words of a worker, whose names are those of a shard. */
export function violationInWords(code: string | undefined, message: string): ToldViolation {
  const names = [...message.matchAll(/"((?:[^"]|"")+)"/g)].map(([, name = '']) => name.replaceAll('""', '"'));
  return told[code ?? '']?.(names) ?? {};
}

/** True if a worker says that a policy refuses a row. A role that lacks a grant has the same code. */
export function isPolicyInWords(message: string): boolean {
  return message.includes('row-level security');
}

function bare(name: string | undefined): string | undefined {
  return name?.replace(shardEnd, '');
}
