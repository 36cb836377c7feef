import type { Configuration } from '@mikro-orm/core';

/** Writes statements that went past MikroORM into its logs, so that `debug` and `slowQueryThreshold` hold for them. */
export class QueryLog {
  /** From which time on a statement is slow, in milliseconds; undefined where nobody wants to know. */
  readonly threshold: number | undefined;

  constructor(private readonly config: Configuration) {
    this.threshold = config.get('slowQueryThreshold');
  }

  /** True if somebody reads it; who debugs may say so at any time. */
  get isRead(): boolean {
    return this.threshold !== undefined || this.config.getLogger().isEnabled('query');
  }

  /** @param took in milliseconds @param results how many rows came back */
  write(query: string, took: number, results: number): void {
    const entry = { query, took, results } as const;
    this.config.getLogger().logQuery({ ...entry, level: 'info' });
    if (this.threshold === undefined || took < this.threshold) return;
    this.config.getSlowQueryLogger().logQuery({
      ...entry,
      level: 'warning',
      enabled: true,
      namespace: 'slow-query',
    });
  }
}
