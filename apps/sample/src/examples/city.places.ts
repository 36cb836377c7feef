import { NotFound, type QueryContext } from '@nest-endpoints/core';
import {
  conditionOf,
  InputJudge,
  LifeCycle,
  RecordLocator,
  recordWrites,
  traitsOf,
  type EndpointRequest,
  type KindContext,
  type KindTraits,
  type ListPlan,
  type Model,
  type RecordLookup,
  type RecordOutput,
  type RecordReading,
  type RecordStore,
  type RecordWrites,
  type Row,
} from '@nest-endpoints/core/kinds';
import type { City } from '../atlas/atlas.entities.js';

/** The models that an order is about, and how its country is found. */
export interface PlaceModels {
  readonly cities: Model;
  readonly countries: Model;
  readonly country: RecordLookup;
}

/** The cities of the country that the path names. */
export const ofCountry = ({ query, routingData }: QueryContext<City>) =>
  query.andWhere({ country: routingData['code'] ?? '' });

/** Writes which places cities have in their country. Made once per endpoint. */
export class CityPlaces {
  /** What the service must know of these steps. */
  readonly traits: KindTraits;
  readonly #store: RecordStore;
  readonly #country: RecordLocator;
  readonly #judge: InputJudge;
  readonly #writes: RecordWrites['writes'];
  readonly #keys: RecordReading;
  readonly #position: string;

  constructor(
    context: KindContext,
    private readonly models: PlaceModels,
    output: RecordOutput,
  ) {
    const { cities, countries, country } = models;
    this.#store = context.store(cities);
    this.#country = new RecordLocator(context, countries, country.path, context.filter(countries, {}));
    this.#judge = new InputJudge(context, cities, { writeableColumnNames: ['position'] }, true);
    this.#keys = this.#store.reading([{ kind: 'column', name: 'id', path: cities.idPath }]);
    this.#position = context.names.outward('position');
    const filter = context.filter(cities, { where: [ofCountry] });
    const found = { lookup: { path: cities.idPath }, filter };
    const lifeCycle = new LifeCycle(context, cities, 'update', {});
    const plan = { judge: this.#judge, lifeCycle, found, output };
    const { writes, reasons } = recordWrites(context, cities, {}, plan);
    this.#writes = writes;
    this.traits = traitsOf(filter, { reasons });
  }

  /**
   * Gives cities the places 1, 2, 3, … in this order, and takes theirs from the others, all of it or nothing.
   *
   * @param unknown what to throw for ids that are not of cities of the country
   * @throws NotFound when there is no such country
   */
  put(
    request: EndpointRequest,
    code: unknown,
    ids: readonly number[],
    unknown: (ids: readonly number[]) => Error,
  ): Promise<readonly Row[]> {
    return this.#store.transaction(request.session, async () => {
      // Who else puts cities of this country in order waits here until this is committed.
      await this.#country.locate(request, code);
      const leaving = (await this.#placed(request, code)).filter((id) => !ids.includes(id));
      const rows = new Map<number, Row>();
      // Cities are locked in the order of their ids, so that nobody waits in a circle.
      for (const id of [...ids, ...leaving].toSorted((one, other) => one - other)) {
        const row = await this.#place(request, id, leaving.includes(id) ? null : ids.indexOf(id) + 1);
        if (row !== undefined) rows.set(id, row);
      }
      const missing = ids.filter((id) => !rows.has(id));
      if (missing.length > 0) throw unknown(missing);
      return ids.map((id) => rows.get(id)).filter((row) => row !== undefined);
    });
  }

  /** The cities of the country that have a place now. */
  async #placed({ path, session }: EndpointRequest, code: unknown): Promise<readonly number[]> {
    const { cities } = this.models;
    const ofThis = cities.path('countryCode');
    const position = cities.path('position');
    if (ofThis === undefined || position === undefined) throw new Error('City has these columns');
    const plan: ListPlan = {
      requestPath: path,
      conditions: [conditionOf(ofThis, '=', code), conditionOf(position, 'is not null', null)],
      sorts: [],
      groupBy: undefined,
      limit: 1000,
      from: { start: 0 },
      readsCursor: false,
      count: 'none',
    };
    const at = this.#keys.layout.at(cities.idPath);
    return (await this.#keys.list(session, plan, [])).rows.map((row) => row[at] as number);
  }

  /** The city as it is then; undefined when the country has none of this id. */
  async #place(request: EndpointRequest, id: number, place: number | null): Promise<Row | undefined> {
    const input = this.#judge.read(new Map([[this.#position, place]]), request);
    try {
      return await this.#writes.update(request, { value: id, expected: undefined }, input, (_, row) => row);
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }
}
