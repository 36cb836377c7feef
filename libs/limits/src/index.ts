export { FlexibleLimits, type FlexibleLimiter } from './flexible.limits.js';
export type { LimitStore, LimitWindow, Take, Taken } from './limit.store.js';
export { limitTable } from './limit.statement.js';
export { MemoryLimits, type LimitClock, type MemoryLimitsOptions } from './memory.limits.js';
export { PostgresLimits } from './postgres.limits.js';
export type { ConnectedManager } from './postgres.connection.js';
export { RateLimit } from './rate.limit.js';
export type { LimitedMethod, RateLimitOptions } from './rate.limit.options.js';
