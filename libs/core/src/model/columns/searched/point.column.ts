import { ConfigurationError, oneOf } from '../../../wire/configuration.error.js';
import type { JsonSchema } from '../../json.schema.js';
import { extensionNeed, type BoundValue, type SearchSql, type VirtualExpression } from './search.sql.js';
import { VirtualColumn } from './virtual.column.js';

/** Parameters of {@link PointColumn}. */
export interface PointOptions {
  /** The property of the latitude, in degrees. */
  readonly latitude: string;
  /** The property of the longitude, in degrees. */
  readonly longitude: string;
  /**
   * The extension that measures. `earthdistance` (default) takes the earth for a sphere, which is wrong by 0.3 % at most;
   * `postgis` knows its form.
   */
  readonly over?: 'earthdistance' | 'postgis';
}

/** A circle on the earth: what is within it is searched for. */
export interface Circle {
  readonly latitude: number;
  readonly longitude: number;
  /** Metres. */
  readonly radius: number;
}

/** The least radius, in metres. No place is known better, and numbers near 0 are none of the database. */
const nearest = 0.001;
/** Half around the earth, in metres. */
const farthest = 20_040_000;

const bounds = {
  latitude: [-90, 90],
  longitude: [-180, 180],
  radius: [nearest, farthest],
} as const satisfies Record<keyof Circle, readonly [number, number]>;

const members = Object.keys(bounds) as (keyof Circle)[];

const number = String.raw`[+-]?(?:\d+(?:\.\d+)?|\.\d+)`;
const circleText = new RegExp(`^(${number}),(${number}),(${number})$`);

/** A member of the circle, as a number of the database. */
function part(value: BoundValue, name: keyof Circle): string {
  return `${value((circle) => (circle as Circle)[name])}::float8`;
}

/**
 * Writes the place of a record. One out of bounds (NaN, which is above every number, and infinities too) is no place:
 * measuring it would fail, for whoever searches.
 */
function placeOf(latitude: string, longitude: string, point: string): string {
  const [north, east] = [bounds.latitude[1], bounds.longitude[1]];
  // PostgreSQL shows the expression of an index with two `between` otherwise than it reads it, which migrations take for a change.
  return `(case when abs(${latitude}) <= ${north} and abs(${longitude}) <= ${east} then ${point} end)`;
}

interface Measuring {
  readonly extension: string;
  readonly point: (latitude: string, longitude: string) => string;
  readonly within: (point: string, center: string, radius: string) => string;
  readonly distance: (point: string, center: string) => string;
  readonly mark: string;
}

const measures = {
  earthdistance: {
    extension: 'earthdistance',
    point: (latitude, longitude) => `ll_to_earth(${latitude}, ${longitude})`,
    // The box is what the index knows; its corners are farther than the radius.
    within: (point, center, radius) =>
      `(earth_box(${center}, ${radius}) @> ${point} and earth_distance(${point}, ${center}) <= ${radius})`,
    distance: (point, center) => `earth_distance(${point}, ${center})`,
    mark: 'll_to_earth(',
  },
  postgis: {
    extension: 'postgis',
    point: (latitude, longitude) => `(st_setsrid(st_makepoint(${longitude}, ${latitude}), 4326)::geography)`,
    within: (point, center, radius) => `st_dwithin(${point}, ${center}, ${radius})`,
    distance: (point, center) => `st_distance(${point}, ${center})`,
    mark: 'geography',
  },
} as const satisfies Record<NonNullable<PointOptions['over']>, Measuring>;

/**
 * A place on the earth, of a latitude and a longitude. Clients find what is within a circle, and sort it by the distance
 * from its center.
 *
 * @example
 * defineColumns(City, { place: { type: new PointColumn({ latitude: 'latitude', longitude: 'longitude' }) } });
 */
export class PointColumn extends VirtualColumn {
  readonly name: string = 'Point';
  /** A circle as text of a query string: latitude, longitude and radius. */
  readonly schema: JsonSchema = {
    type: 'string',
    pattern: circleText.source,
    examples: ['48.8566,2.3522,50000'],
  };
  override readonly operators = ['within'] as const;
  override readonly virtual: VirtualExpression;
  override readonly search: SearchSql;

  /** @throws ConfigurationError */
  constructor(options: PointOptions) {
    super();
    check(options);
    const { latitude, longitude, over = 'earthdistance' } = options;
    const { extension, point, within, distance, mark }: Measuring = measures[over];
    const center = (value: BoundValue): string => point(part(value, 'latitude'), part(value, 'longitude'));
    this.virtual = {
      of: [latitude, longitude],
      suits: (databaseType) =>
        /^(?:double precision|double|float[48]?|real|numeric|decimal|(?:small|big)?int|int[248]|integer)$/.test(
          databaseType,
        ),
      suitable: 'columns of numbers',
      write: (field) => {
        const [north, east] = [field(latitude), field(longitude)];
        return placeOf(north, east, point(north, east));
      },
    };
    this.search = {
      operator: 'within',
      best: 'asc',
      needs: [extensionNeed(extension)],
      settings: [],
      condition: (place, value) => within(place, center(value), part(value, 'radius')),
      rank: (place, value) => distance(place, center(value)),
      index: (place) => `using gist (${place})`,
      indexMarks: ['using gist', 'case', mark],
    };
  }

  override get inputSchema(): JsonSchema {
    const properties = Object.fromEntries(
      members.map((name) => {
        const [minimum, maximum] = bounds[name];
        return [name, { type: 'number', minimum, maximum } as const];
      }),
    );
    return { type: 'object', properties, required: members, additionalProperties: false };
  }

  complaint(value: unknown): string | undefined {
    return isCircle(value)
      ? undefined
      : `value should have a latitude (-90 to 90), a longitude (-180 to 180) and a radius (metres, ${nearest} to ${farthest})`;
  }

  override fromText(text: string): unknown {
    const [, latitude, longitude, radius] = circleText.exec(text) ?? [];
    if (radius === undefined) return text;
    return { latitude: Number(latitude), longitude: Number(longitude), radius: Number(radius) };
  }
}

function isCircle(value: unknown): value is Circle {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = new Map<string, unknown>(Object.entries(value));
  return entries.size === members.length && members.every((name) => isIn(name, entries.get(name)));
}

function isIn(name: keyof Circle, value: unknown): boolean {
  const [least, most] = bounds[name];
  return typeof value === 'number' && value >= least && value <= most;
}

function check({ latitude, longitude, over }: PointOptions): void {
  const refuse = (option: string, problem: string): never => {
    throw new ConfigurationError('PointColumn', option, problem);
  };
  for (const [option, name] of Object.entries({ latitude, longitude }))
    if (typeof name !== 'string' || name === '') refuse(option, 'must be the name of a property');
  if (over !== undefined && !Object.hasOwn(measures, over))
    refuse('over', `'${over}' is unknown; ${oneOf(Object.keys(measures))}`);
}
