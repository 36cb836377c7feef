// Defects in what is told to others: each must be noticed by a test that is named.

export const defects = [
  {
    name: 'events: the log is read in the order of texts',
    file: 'libs/core/src/records/changes/read.changes.ts',
    find: 'order by log.${transaction}, log.${id} limit',
    replace: 'order by ${transaction}, ${id} limit',
    tests: ['contract/events.queues'],
  },
  {
    name: 'events: nobody asks whose a record was',
    file: 'libs/events/src/webhooks/webhook.audience.ts',
    find: 'filter((id) => !moved.has(id))',
    replace: 'filter(() => true)',
    tests: ['contract/events.webhooks'],
  },
  {
    name: 'events: every subscription hears of every record',
    file: 'libs/core/src/endpoint/told/change.audience.ts',
    find: 'if (visible.has(recordId)) heard.add(id);',
    replace: 'heard.add(id);',
    tests: ['contract/events'],
  },
  {
    name: 'events: every subscription hears of deletions',
    file: 'libs/core/src/endpoint/told/change.audience.ts',
    find: 'gone.filter(({ before }) => meets(restriction, before))',
    replace: 'gone',
    tests: ['contract/events.webhooks'],
  },
  {
    name: 'events: another address is connected to than was looked at',
    file: 'libs/events/src/webhooks/receiver.rules.ts',
    find: '!found.every(({ address }) => isPublicAddress(address))',
    replace: 'false',
    tests: ['contract/events.queues'],
  },
  {
    name: 'events: claims are good for ever',
    file: 'libs/events/src/webhooks/subscription.store.ts',
    find: "and (audience = 'application' or claims_at >",
    replace: 'and (true or claims_at >',
    tests: ['contract/events'],
  },
  {
    name: 'events: a secret that was replaced signs for ever',
    file: 'libs/events/src/webhooks/webhook.secret.ts',
    find: 'until === null || Date.parse(until) > now',
    replace: 'until === null || Date.parse(until) > 0',
    tests: ['contract/events.webhooks'],
  },
  {
    name: 'events: the events of a record overtake each other',
    file: 'libs/events/src/webhooks/delivery.store.ts',
    find: "${isOrdered ? first : ''}",
    replace: '',
    tests: ['contract/events.queues'],
  },
  {
    name: 'events: a session that was lost keeps its place',
    file: 'libs/events/src/relay/relay.lease.ts',
    find: 'this.#session?.end();',
    replace: 'if (this.#session?.isLost === false) this.#session.end();',
    tests: ['contract/events.queues'],
  },
  {
    name: 'events: subscriptions are those of everybody',
    file: 'libs/events/src/webhooks/own.subscriptions.ts',
    find: 'if (!this.concerns(entity)) return { conditions: [] };',
    replace: 'if (this.concerns(entity)) return { conditions: [] };',
    tests: ['contract/events.webhooks'],
  },
];
