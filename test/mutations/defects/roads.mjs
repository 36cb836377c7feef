/** The straight road, and what closes it. See defects.mjs. */
export const defects = [
  {
    name: 'a global guard leaves the straight road open',
    file: 'libs/core/src/nest/nest.surroundings.ts',
    find: "if (guards.length > 0) return 'there is a global guard';",
    replace: "if (guards.length > 100) return 'there is a global guard';",
    tests: ['contract/roads'],
  },
  {
    name: 'what is added to Express while it listens is not noticed',
    file: 'libs/core/src/http/roads/straight.road.ts',
    find: 'if (side.size === this.#size) return true;',
    replace: 'if (side.size !== -1) return true;',
    tests: ['contract/roads'],
  },
  {
    name: 'the straight road forgets the header of Express',
    file: 'libs/core/src/http/roads/express.side.ts',
    find: "if (this.#application.enabled('x-powered-by'))",
    replace: "if (this.#application.enabled('x-powered'))",
    tests: ['contract/roads.alike'],
  },
  {
    name: 'the straight road spells headers of Fastify as Express does',
    file: 'libs/core/src/http/roads/fastify.answer.ts',
    find: 'lines.map(([name, value]) => [name.toLowerCase(), value] as const)',
    replace: 'lines.map(([name, value]) => [name, value] as const)',
    tests: ['contract/roads.alike'],
  },
];
