import { expect } from '@jest/globals';
import { Callable } from '@nest-endpoints/core';
import { everyPlatform, service } from '../support/contract.js';
import { library } from '../support/entities/library.js';

const origins = ['https://a.example', 'https://b.example'];

const { contract } = service(
  {
    entities: library,
    endpoints: [
      new Callable({
        url: 'spoken',
        responseHeaders: ['Vary: Accept-Language, Origin', 'Cache-Control: public'],
        toCall: () => 'hello',
      }),
      new Callable({ url: 'plain', toCall: () => 'hello' }),
    ],
    road: 'platform',
    configure: (app) => {
      app.enableCors({ origin: origins });
    },
  },
  everyPlatform,
);

contract(
  'A Vary of middleware stays beside that of an endpoint, and nothing is said twice',
  async (subject) => {
    for (const origin of origins) {
      const spoken = await subject.request().get('/spoken').set('Origin', origin);
      expect(spoken.headers['access-control-allow-origin']).toBe(origin);
      expect(spoken.headers['vary']).toBe('Origin, Accept-Language');
      const plain = await subject.request().get('/plain').set('Origin', origin);
      expect(plain.headers['vary']).toBe('Origin');
    }
  },
);
