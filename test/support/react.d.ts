/** What packages of front ends name of React, for tests that have none. */
export type ReactNode = unknown;
