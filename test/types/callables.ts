import { defineEntity, p } from '@mikro-orm/core';
import { Callable, Endpoint, tokenOf, type CallableContext } from '@nest-endpoints/core';
import { z } from 'zod';

declare class UsersService {
  greet(name: string): string;
}

interface Cache {
  get(key: string): string | undefined;
}

const point = z.object({ latitude: z.number(), longitude: z.number() });
const paging = z.object({ limit: z.number().default(3) });

declare class Place {
  name: string;
  population: number;
}

// Path parameters are known from the url, in both spellings, and are texts.

export const hello = new Callable({
  url: '/hello/:name/{greeting}',
  toCall: ({ name, greeting }): string => `${greeting satisfies string} ${name satisfies string}`,
});

export const unknownParameter = new Callable({
  url: '/hello/:name',
  // @ts-expect-error -- the url has no parameter nmae
  toCall: ({ nmae }): unknown => nmae,
});

export const textParameter = new Callable({
  url: '/hello/:count',
  // @ts-expect-error -- without pathSchema a path parameter is a text
  toCall: ({ count }): number => count satisfies number,
});

// Schemas say what path, query string and body have become.

export const near = new Callable({
  url: '/near/:latitude/:longitude',
  pathSchema: point,
  querySchema: paging,
  toCall: ({ latitude, longitude, queryParameters: { limit } }): number => latitude + longitude + limit,
});

export const unknownQuery = new Callable({
  querySchema: paging,
  // @ts-expect-error -- the schema has no distance
  toCall: ({ queryParameters: { distance } }): unknown => distance,
});

export const body = new Callable({
  inputSchema: point,
  toCall: ({ requestData: { latitude } }): number => latitude,
});

export const bodyOfClass = new Callable({
  inputSchema: Place,
  toCall: ({ requestData }): number => requestData.population,
});

export const unknownMember = new Callable({
  inputSchema: Place,
  // @ts-expect-error -- a place has no nmae
  toCall: ({ requestData: { nmae } }): unknown => nmae,
});

export const anyBody = new Callable({
  // @ts-expect-error -- without rules there may be no body
  toCall: ({ requestData }): unknown => requestData['name'],
});

// Providers have the types of their tokens.

export const injected = new Callable({
  inject: { users: UsersService, cache: tokenOf<Cache>('CACHE') },
  toCall: ({ users, cache }): string => cache.get('greeting') ?? users.greet('Ann'),
});

export const unknownProvider = new Callable({
  inject: { users: UsersService },
  // @ts-expect-error -- nothing is injected as user
  toCall: ({ user }): unknown => user,
});

export const wrongMethod = new Callable({
  inject: { users: UsersService },
  // @ts-expect-error -- a UsersService has no geet
  toCall: ({ users }): unknown => users.geet('Ann'),
});

// Nobody has declared an identity here: it is unknown, and a function may say what it is.

export const unknownIdentity = new Callable({
  // @ts-expect-error -- what the identity has is unknown
  toCall: ({ authorizationData }): unknown => authorizationData.sub,
});

export const saidIdentity = new Callable({
  url: '/of/:name',
  toCall: ({
    name,
    authorizationData,
  }: CallableContext<'/of/:name'> & { readonly authorizationData: { readonly sub: string } }): string =>
    name + authorizationData.sub,
});

// Records that the request may see are those of the entity.

const Stop = defineEntity({ name: 'Stop', properties: { id: p.integer().primary(), city: p.string() } });

export const scopedFind = new Callable({
  toCall: async ({ em, scoped }): Promise<string[]> => {
    const stops = await scoped(Stop);
    const found = await em.find(Stop, stops.where({ city: 'Ulm' }), { orderBy: { id: 'asc' } });
    return found.map(({ city }) => city);
  },
});

export const scopedQuery = new Callable({
  toCall: async ({ em, scoped }): Promise<number> => {
    const stops = await scoped(Stop);
    const query = stops.query('s').where({ city: 'Ulm' }).orderBy({ 's.id': 'asc' });
    const own = em.createQueryBuilder(Stop, 's').where(stops.where());
    return (await query.getCount()) + (await own.getCount());
  },
});

export const scopedMisspelt = new Callable({
  // @ts-expect-error -- a stop has no town
  toCall: async ({ scoped }) => (await scoped(Stop)).where({ town: 'Ulm' }),
});

// A method that is an endpoint can be called with what its options say.

export class Greetings {
  @Endpoint({ url: 'hello/:name' })
  hello({ name }: CallableContext<'hello/:name'>): string {
    return name;
  }

  @Endpoint({ url: 'near/:latitude/:longitude', pathSchema: point })
  near({ latitude }: { readonly latitude: number }): number {
    return latitude;
  }

  @Endpoint({ url: 'users', inject: { users: UsersService } })
  users({ users }: { readonly users: UsersService }): string {
    return users.greet('Ann');
  }

  // @ts-expect-error -- the url has no parameter nmae
  @Endpoint({ url: 'hello/:name' })
  misspelt({ nmae }: { readonly nmae: string }): string {
    return nmae;
  }

  // @ts-expect-error -- without pathSchema a path parameter is a text
  @Endpoint({ url: 'count/:count' })
  count({ count }: { readonly count: number }): number {
    return count;
  }

  // @ts-expect-error -- an endpoint is a method
  @Endpoint({ url: 'field' })
  field = 1;
}
