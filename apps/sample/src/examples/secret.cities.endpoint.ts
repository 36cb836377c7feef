import {
  Authorization,
  List,
  NotAuthenticated,
  type Authentication,
  type Credentials,
} from '@nest-endpoints/core';
import { City } from '../atlas/atlas.entities.js';

interface Caller {
  readonly name: string;
  readonly isEditor: boolean;
}

const callers = new Map<unknown, Caller>([
  ['key-of-ann', { name: 'Ann', isEditor: true }],
  ['key-of-bob', { name: 'Bob', isEditor: false }],
]);

export class ApiKey implements Authentication {
  /** What browsers must be allowed to send. */
  readonly allowedHeaders = ['X-Api-Key'];

  authenticate({ headers }: Credentials): Caller {
    const caller = callers.get(headers['x-api-key']);
    if (caller === undefined) throw new NotAuthenticated();
    return caller;
  }
}

export class Editors extends Authorization {
  override gate(caller: Caller): boolean {
    return caller.isEditor;
  }
}

export const secretCities = new List({
  url: 'secret-cities',
  modelClass: City,
  readableColumnNames: ['name'],
  sortableColumnNames: ['name'],
  defaultSortColumnName: 'name',
  authentication: new ApiKey(),
  authorization: new Editors(),
});
