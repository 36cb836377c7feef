import type { ObjectSchema, ToolDefinition } from '../tools/tool.js';
import type { ArgumentSchema, ArgumentsSchema } from './registry.arguments.js';

const any: ObjectSchema = { type: 'object' };

const reading = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

function objectOf(properties: Readonly<Record<string, object>>, required: readonly string[]): ObjectSchema {
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** The schema of what a tool takes, which its arguments are judged by. */
function inputOf(
  properties: Readonly<Record<string, ArgumentSchema>>,
  required: readonly string[],
): ArgumentsSchema {
  return { ...objectOf(properties, required), properties };
}

const name: ArgumentSchema = {
  type: 'string',
  description: 'The name of an endpoint, as search_endpoints tells it.',
};
const input: ArgumentSchema = {
  type: 'object',
  description: 'The arguments, as describe_endpoint tells them.',
};

/** The tools of a server that has too many to show each. */
export const registryDefinitions = {
  search_endpoints: {
    name: 'search_endpoints',
    title: 'Search endpoints',
    description: 'Finds endpoints by words of their names and descriptions. Without words it lists them.',
    inputSchema: inputOf(
      {
        query: { type: 'string', maxLength: 1000, description: 'Words, all of which must be there.' },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      },
      [],
    ),
    outputSchema: objectOf(
      {
        endpoints: {
          type: 'array',
          items: objectOf(
            {
              name: { type: 'string' },
              title: { type: 'string' },
              description: { type: 'string' },
              read_only: { type: 'boolean' },
            },
            ['name', 'title', 'description', 'read_only'],
          ),
        },
        total: { type: 'integer', minimum: 0 },
      },
      ['endpoints', 'total'],
    ),
    annotations: reading,
  },
  describe_endpoint: {
    name: 'describe_endpoint',
    title: 'Describe an endpoint',
    description: 'Tells what an endpoint does, takes and gives.',
    inputSchema: inputOf({ name }, ['name']),
    outputSchema: any,
    annotations: reading,
  },
  call_read_endpoint: {
    name: 'call_read_endpoint',
    title: 'Call an endpoint that reads',
    description: 'Calls an endpoint that changes nothing.',
    inputSchema: inputOf({ name, arguments: input }, ['name']),
    outputSchema: any,
    annotations: reading,
  },
  call_endpoint: {
    name: 'call_endpoint',
    title: 'Call an endpoint',
    description: 'Calls any endpoint, those that write too.',
    inputSchema: inputOf({ name, arguments: input }, ['name']),
    outputSchema: any,
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: false,
    },
  },
} as const satisfies Record<string, ToolDefinition & { readonly inputSchema: ArgumentsSchema }>;
