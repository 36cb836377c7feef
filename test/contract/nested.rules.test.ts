import { expect } from '@jest/globals';
import { defineEntity, p, type EntityMetadata } from '@mikro-orm/core';
import { OwnRecords, scalarClaim } from '@nest-endpoints/auth';
import { Authorization, RestfulApi, type RecordScope } from '@nest-endpoints/core';
import { service } from '../support/contract.js';
import { Claims } from './claims.js';

const Ticket = defineEntity({
  name: 'Ticket',
  properties: { id: p.integer().primary(), owner: p.string() },
});
const Comment = defineEntity({
  name: 'Comment',
  properties: { id: p.integer().primary(), ticket: () => p.manyToOne(Ticket) },
});

/** The rule of docs/nested.md. */
class OwnTickets extends Authorization {
  override concerns({ className }: EntityMetadata): boolean {
    return className === 'Ticket';
  }

  scopeOf(entity: EntityMetadata): RecordScope | undefined {
    if (!this.concerns(entity)) return undefined;
    const value = ({ authorizationData }: { readonly authorizationData: unknown }): unknown =>
      scalarClaim(authorizationData, 'sub', 'string');
    return { conditions: [{ propertyName: 'owner', value }] };
  }
}

const comments = {
  modelClass: Comment,
  parent: 'ticket',
  authentication: new Claims(),
  readableColumnNames: ['id'],
  writeableColumnNames: ['id'],
  searchableColumnNames: ['id'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const { contract } = service({
  entities: [Ticket, Comment],
  endpoints: [
    new RestfulApi({ ...comments, url: 'tickets/:ticketId/comments', authorization: new OwnTickets() }),
    new RestfulApi({
      ...comments,
      url: 'tickets/:ticketId/pathed',
      authorization: new OwnRecords('ticket.owner', 'sub'),
    }),
  ],
});

contract(
  'The rules around the endpoint that concern the parent say who sees it; a path does not',
  async (subject) => {
    const all = subject.em();
    for (const [id, owner] of ['ann', 'bob'].entries()) {
      const ticket = all.create(Ticket, { id, owner });
      all.create(Comment, { id, ticket });
    }
    await all.flush();
    const answered = async (path: string): Promise<unknown> => {
      const { status, body } = await subject
        .request()
        .get(path)
        .set({ 'X-Claims': JSON.stringify({ sub: 'ann' }) });
      return [status, body.data];
    };
    expect(await answered('/tickets/0/comments')).toEqual([200, [{ id: 0 }]]);
    expect(await answered('/tickets/1/comments')).toEqual([404, []]);
    expect(await answered('/tickets/0/pathed')).toEqual([200, [{ id: 0 }]]);
    expect(await answered('/tickets/1/pathed')).toEqual([200, []]);
  },
);
