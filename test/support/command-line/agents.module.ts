// An application of two servers for agents, which the word mcp of the command line starts.
import { SecretBearer } from '@nest-endpoints/auth';
import { Callable, EndpointGroup, EndpointsModule } from '@nest-endpoints/core';
import { Mcp } from '@nest-endpoints/mcp';
import { Module } from '@nestjs/common';

const editors = new SecretBearer({ environmentKey: 'SECRET', environment: { SECRET: 's3cret' } });

const endpoints = [
  new EndpointGroup({
    endpoints: [
      new Mcp({ url: 'mcp', wholeApplication: true }),
      new Callable({ url: 'weather', readOnly: true, toCall: () => ({ wind: 7 }) }),
      new Callable({ url: 'secret', readOnly: true, authentication: editors, toCall: () => 'said' }),
      new Callable({
        url: 'waits',
        readOnly: true,
        toCall: ({ signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              console.error('left');
              resolve('left');
            });
            console.error('begun');
          }),
      }),
    ],
  }),
  new EndpointGroup({
    url: 'inner',
    endpoints: [
      new Mcp({ url: 'agents' }),
      new Callable({ url: 'weather', readOnly: true, toCall: () => ({ wind: 9 }) }),
    ],
  }),
];

class AgentsModule {}

Module({ imports: [EndpointsModule.forFeature(endpoints)] })(AgentsModule);

export { AgentsModule };
