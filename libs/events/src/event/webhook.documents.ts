import type { OpenApiObject } from '@nest-endpoints/core/internal';
import type { DeclaredEvent } from './declared.event.js';
import type { EventFormat } from './event.options.js';

const text = { type: 'string' } as const;
const instant = { type: 'string', format: 'date-time' } as const;

/** The section `webhooks` of documents: what receivers get of each event. */
export function webhookDocuments(
  events: readonly DeclaredEvent[],
  format: EventFormat,
): Readonly<Record<string, OpenApiObject>> {
  const entries = events.flatMap((event) =>
    event.operations.map((operation) => {
      const type = `${event.name}.${operation}`;
      const data = event.schemaOf(operation);
      const standard = { type: { ...text, enum: [type] }, timestamp: instant, data };
      const cloud = {
        ...{ specversion: text, id: text, source: text, type: { ...text, enum: [type] }, subject: text },
        ...{ time: instant, datacontenttype: text, data },
      };
      const properties = format === 'cloudevents' ? cloud : standard;
      const schema = { type: 'object', properties, required: Object.keys(properties) };
      const mediaType = format === 'cloudevents' ? 'application/cloudevents+json' : 'application/json';
      const headers = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((header) => ({
        name: header,
        in: 'header',
        required: true,
        schema: text,
      }));
      const post = {
        summary: `${event.model}: ${operation}`,
        parameters: headers,
        requestBody: { required: true, content: { [mediaType]: { schema } } },
        responses: { '2XX': { description: 'Received' }, '410': { description: 'Send no more' } },
      };
      return [type, { post }] as const;
    }),
  );
  return Object.fromEntries(entries);
}
