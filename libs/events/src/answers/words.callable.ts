import { Callable, jsonSchemaOf, type InjectMap } from '@nest-endpoints/core';
import type { DescribedKind, KindContext } from '@nest-endpoints/core/kinds';
import { renamed } from './renamed.js';

type Members = Readonly<Record<string, unknown>>;

/**
 * A Callable whose data has words of the contract, which are cased like all others: the data of a user's function is not. Its
 * `outputSchema` has them in snake_case.
 */
export class WordsCallable<
  E extends object = object,
  Query = unknown,
  const Inject extends InjectMap = InjectMap,
  Entity = E,
> extends Callable<string, E, unknown, unknown, Query, Inject, Entity> {
  override readonly requiredOptions = ['toCall', 'outputSchema'];

  override get kind(): string {
    return 'Callable';
  }

  override compile(context: KindContext): DescribedKind {
    const { toCall, outputSchema = {} } = this.options;
    const { properties = {}, required = [], ...schema } = jsonSchemaOf(outputSchema, 'output');
    const words = new Map(Object.keys(properties).map((word) => [word, context.names.control(word)]));
    const made = new Callable<string, E, unknown, unknown, Query, Inject>({
      ...this.options,
      outputSchema: {
        ...schema,
        properties: renamed(properties, words),
        required: required.flatMap((word) => words.get(word) ?? []),
      },
      toCall: async (argument) => renamed((await toCall(argument)) as Members, words),
    });
    return made.compile(context);
  }
}
