// For clients, in browsers too: it needs nothing but fetch.
export { followRecords, type FollowOptions } from './client/follow.records.js';
export { liveEvents, LiveRefused, type LiveEvent, type LiveEventsOptions } from './client/live.events.js';
export type { RecordOf } from './client/record.of.js';
