import { Conflict, Create, type Compilation, type CreateOptions, type Handler } from '@nest-endpoints/core';

/** A Create that stops at a number of records. */
export class QuotaCreate<E extends object> extends Create<E> {
  constructor(
    options: CreateOptions<E>,
    private readonly quota = 2,
  ) {
    super(options);
  }

  override compile(compilation: Compilation): Handler {
    const create = super.compile(compilation);
    const { database } = compilation;
    const { modelClass } = this.options;
    return async (request) => {
      const count = await database.fork().count(modelClass);
      if (count >= this.quota) throw new Conflict(`There are ${this.quota} records already`);
      return create(request);
    };
  }
}
