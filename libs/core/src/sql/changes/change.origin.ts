/** The origin of a change: who made it, and in which request. Texts as the log takes them. */
export interface ChangeOrigin {
  readonly actor: string | null;
  readonly requestId: string | null;
  /** The kind and path of the endpoint. */
  readonly endpoint: string | null;
  /** A JSON object. */
  readonly context: string | null;
}

/** The settings of a transaction in which triggers find the origin of what is changed. */
const names = {
  actor: 'endpoints.actor',
  requestId: 'endpoints.request_id',
  endpoint: 'endpoints.endpoint',
  context: 'endpoints.context',
} as const satisfies Record<keyof ChangeOrigin, string>;

/** The settings that tell triggers of an origin. What it has not is empty: a setting cannot be null. */
export function originSettings(origin: ChangeOrigin): readonly (readonly [string, string])[] {
  return [
    [names.actor, origin.actor ?? ''],
    [names.requestId, origin.requestId ?? ''],
    [names.endpoint, origin.endpoint ?? ''],
    [names.context, origin.context ?? ''],
  ];
}

/** The origin as triggers read it: nothing where nobody has told it. */
export const toldOrigin: readonly string[] = [
  `nullif(current_setting('${names.actor}', true), '')`,
  `nullif(current_setting('${names.requestId}', true), '')`,
  `nullif(current_setting('${names.endpoint}', true), '')`,
  `nullif(current_setting('${names.context}', true), '')::jsonb`,
];

/** The origin of changes that no request has asked for. */
export const unknownOrigin: ChangeOrigin = { actor: null, requestId: null, endpoint: null, context: null };
