import { Create, NamedSchema, type InjectMap, type JsonSchema } from '@nest-endpoints/core';
import { selectionOf, shownRecord, type DescribedKind, type KindContext } from '@nest-endpoints/core/kinds';
import { renamed } from '../answers/renamed.js';
import { shownSecret } from './webhook.secret.js';
import { WebhookSubscription } from './webhook.subscription.js';
import type { Subscription } from './webhook.subscriptions.js';

/** Creates a subscription. The answer is the record as others show it, and its secret, which is shown this once. */
export class SubscriptionCreate<const I extends InjectMap> extends Create<
  Subscription,
  I,
  typeof WebhookSubscription
> {
  /** The answer is put together by an `outputMap`, which the options do not have before the names are known. */
  override readonly repliesPlainly = true;

  override get kind(): string {
    return 'Create';
  }

  override compile(context: KindContext): DescribedKind {
    const { owner, names } = context;
    const { readableColumnNames } = this.options;
    const secret = names.control('secret');
    const words = new Map(readableColumnNames.map((name) => [name, names.outward(name)]));
    const model = context.model(this.options);
    const shown = shownRecord(context, model, selectionOf(owner, model, readableColumnNames), {});
    const made = new Create({
      ...this.options,
      outputMap: ({ record, entity }) => ({
        ...renamed(record, words),
        [secret]: shownSecret(entity.secrets[0]?.value ?? ''),
      }),
      outputSchema: withSecret(shown, secret),
    });
    return made.compile(context);
  }
}

function withSecret({ $ref }: JsonSchema, secret: string): JsonSchema {
  const { properties, required = [], ...schema } = $ref instanceof NamedSchema ? $ref.schema : {};
  return {
    ...schema,
    properties: { ...properties, [secret]: { type: 'string' } },
    required: [...required, secret],
  };
}
