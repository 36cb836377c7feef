import {
  optionChecks,
  type EndpointOptions,
  type OptionChecks,
  type ReadableOptions,
} from '@nest-endpoints/core';
import {
  EndpointKind,
  lookupParameter,
  RecordLookup,
  recordOutput,
  shownRecord,
  traitsOf,
  type DescribedKind,
  type KindContext,
} from '@nest-endpoints/core/kinds';
import { City, Country } from '../atlas/atlas.entities.js';
import { CityOrderInput } from './city.order.input.js';
import { CityPlaces } from './city.places.js';

/** Parameters of {@link ReorderCities}. */
interface ReorderCitiesOptions extends EndpointOptions, Pick<ReadableOptions<City>, 'readableColumnNames'> {
  /** Holds `:code`, the country. */
  readonly url: string;
}

/** Puts cities of a country in the order of their ids in the body. */
export class ReorderCities extends EndpointKind<ReorderCitiesOptions> {
  static override readonly optionChecks: OptionChecks = { readableColumnNames: optionChecks.names };

  protected override readonly defaultMethods = ['PUT'] as const;
  override readonly requiredOptions = ['url', 'readableColumnNames'];
  override readonly repliesPlainly = false;
  override readonly readsBody = true;
  override readonly effect = 'writes';

  override compile(context: KindContext): DescribedKind {
    const cities = context.model({ modelClass: City });
    const countries = context.model({ modelClass: Country });
    const country = RecordLookup.of(context, countries, { recordLookupColumnName: 'code' });
    const order = new CityOrderInput(context, cities);
    const output = recordOutput(context, cities, this.options);
    const places = new CityPlaces(context, { cities, countries, country }, output);
    return {
      ...traitsOf(output, places.traits),
      handle: async (request) => {
        const code = country.value(request.routingData);
        const ids = order.read(request.requiredJsonObject());
        const rows = await places.put(request, code, ids, (missing) => order.unknown(missing));
        return output.all(request, rows);
      },
      describe: () => ({
        verb: 'reorder',
        summary: 'Put cities of a country in order',
        description:
          'The cities of the body get the places 1, 2, 3, …; the others of the country have none then.',
        pathParameters: lookupParameter(country),
        body: { schema: order.schema, isRequired: true },
        answer: {
          kind: 'envelope',
          data: { type: 'array', items: shownRecord(context, cities, output.shown, {}) },
        },
        refusals: ['invalidInput', 'notFound', 'conflict'],
      }),
    };
  }
}
