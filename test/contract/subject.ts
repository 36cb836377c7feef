import type { Contract } from '../support/contract.js';

/** What the body of a test works with, for the helpers of several tests. */
export type Subject = Parameters<Parameters<Contract>[1]>[0];
