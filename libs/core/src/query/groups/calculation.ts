/** The spans of time that records are grouped by, the shortest first. */
export const buckets = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const;

/** A span of time that records are grouped by. A week begins on Monday. */
export type Bucket = (typeof buckets)[number];

/** The calculations over the values of a column. */
export const calculations = ['sum', 'avg', 'min', 'max', 'count', 'count_distinct'] as const;

/** A calculation over the values of a column. `count` leaves nulls out. */
export type Calculation = (typeof calculations)[number];
