import { Conflict, Create, type CreateOptions } from '@nest-endpoints/core';
import type { DescribedKind, KindContext } from '@nest-endpoints/core/kinds';

/** A Create that stops at a number of records. */
export class QuotaCreate<E extends object> extends Create<E> {
  constructor(
    options: CreateOptions<E>,
    private readonly quota = 2,
  ) {
    super(options);
  }

  override compile(context: KindContext): DescribedKind {
    const create = super.compile(context);
    const { database } = context;
    const { modelClass } = this.options;
    return {
      ...create,
      handle: async (request) => {
        const count = await database.fork().count(modelClass);
        if (count >= this.quota) throw new Conflict(`There are ${this.quota} records already`);
        return create.handle(request);
      },
    };
  }
}
