import type { EndpointOptions, ModelOptions } from '@nest-endpoints/core';
import { EndpointKind, PlainReply, type KindContext, type Handler } from '@nest-endpoints/core/kinds';

/** How many records there are. */
export class Count<E extends object> extends EndpointKind<
  EndpointOptions & Pick<ModelOptions<E>, 'modelClass'>
> {
  protected override readonly defaultMethods = ['GET'] as const;
  override readonly requiredOptions = ['modelClass'];
  override readonly readsBody = false;

  override compile({ database }: KindContext): Handler {
    const { modelClass } = this.options;
    return async () => new PlainReply({ count: await database.fork().count(modelClass) });
  }
}
