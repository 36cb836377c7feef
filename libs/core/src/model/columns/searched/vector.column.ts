import { ConfigurationError, oneOf } from '../../../wire/configuration.error.js';
import { ColumnType, type ColumnFacts } from '../../column.type.js';
import type { JsonSchema } from '../../json.schema.js';
import { nullOperators } from '../../operator.js';
import type { RequestFacts } from '../../request.facts.js';
import { jsonOrText } from '../../values/json.or.text.js';
import { extensionNeed, type SearchSql } from './search.sql.js';

/** The facts about a request that an `embed` function gets. */
export interface EmbedContext extends RequestFacts {
  /** Is aborted when the client goes away, or the time is up. */
  readonly signal: AbortSignal;
}

/** The distance of two vectors: of their directions, of their ends, or their negative inner product. */
export type VectorMetric = 'cosine' | 'l2' | 'inner';

/** Parameters of {@link VectorColumn}. */
export interface VectorOptions {
  /** The distance. Default `cosine`. */
  readonly metric?: VectorMetric;
  /** Makes the vector of a text, so that clients may search by texts. Default: they send vectors. */
  readonly embed?: (text: string, context: EmbedContext) => Promise<readonly number[]>;
}

/** A value that records are searched near to. */
interface NearValue {
  readonly vector: readonly number[];
  /** The longest distance; undefined for any. */
  readonly maximum: number | undefined;
}

/** Operators and classes of pgvector. */
const metrics = {
  cosine: { operator: '<=>', indexed: 'vector_cosine_ops' },
  l2: { operator: '<->', indexed: 'vector_l2_ops' },
  inner: { operator: '<#>', indexed: 'vector_ip_ops' },
} as const satisfies Record<VectorMetric, object>;

const mostDimensions = 16_000;

/**
 * A list of so many numbers in a column `vector(n)` of PostgreSQL's extension pgvector. AdvancedSearch finds the nearest
 * records.
 *
 * @example
 * defineColumns(Article, { embedding: { type: new VectorColumn(1536, { metric: 'cosine' }) } });
 */
export class VectorColumn extends ColumnType {
  readonly name: string = 'Vector';
  override readonly operators = nullOperators;
  override readonly isSortable = false;
  override readonly readAsText = true;
  readonly schema: JsonSchema;
  override readonly search: SearchSql;
  /** Makes the vector of a text; undefined where clients send vectors. */
  readonly embed: VectorOptions['embed'];
  readonly #metric: VectorMetric;

  /** @throws ConfigurationError */
  constructor(
    readonly dimensions: number,
    options: VectorOptions = {},
  ) {
    super();
    const { metric = 'cosine', embed } = options;
    check(dimensions, metric, embed);
    this.#metric = metric;
    this.embed = embed;
    const { operator, indexed } = metrics[metric];
    this.schema = {
      type: 'array',
      items: { type: 'number' },
      minItems: dimensions,
      maxItems: dimensions,
    };
    const written = (vector: unknown): string => JSON.stringify(vector);
    this.search = {
      operator: 'within',
      best: 'asc',
      // Older ones look at as many records of an index as are asked for, and then at conditions.
      needs: [extensionNeed('vector', [0, 8])],
      settings: [['hnsw.iterative_scan', 'strict_order']],
      condition: (stored, value) => {
        const vector = value((near) => written((near as NearValue).vector));
        return `${stored} ${operator} ${vector}::vector <= ${value((near) => (near as NearValue).maximum ?? null)}`;
      },
      rank: (stored, value) => `${stored} ${operator} ${value(written)}::vector`,
      index: (stored) => `using hnsw (${stored} ${indexed})`,
      indexMarks: [indexed],
    };
  }

  complaint(value: unknown): string | undefined {
    const { dimensions } = this;
    if (!Array.isArray(value) || value.length !== dimensions || !value.every(isSingle))
      return `value should be a list of ${dimensions} finite numbers`;
    const isDirected = this.#metric !== 'cosine' || value.some((one) => Math.fround(one as number) !== 0);
    return isDirected ? undefined : 'value should have a number other than 0';
  }

  /** Text is JSON, as an Export writes it into a cell. */
  override fromText(text: string): unknown {
    return jsonOrText(text);
  }

  override toDatabase(value: unknown): string {
    return JSON.stringify(value);
  }

  /** The text that the extension writes is JSON. */
  toWire(value: unknown): string {
    return typeof value === 'string' ? value : JSON.stringify(value);
  }

  override misfit({ databaseType }: ColumnFacts): string | undefined {
    return databaseType === 'vector'
      ? undefined
      : `the property is no vector(${this.dimensions}) of pgvector`;
  }
}

/** True for a number that is one in single precision, too. */
function isSingle(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(Math.fround(value));
}

function check(dimensions: unknown, metric: unknown, embed: unknown): void {
  const refuse = (option: string, problem: string): never => {
    throw new ConfigurationError('VectorColumn', option, problem);
  };
  if (!Number.isSafeInteger(dimensions) || Number(dimensions) < 1 || Number(dimensions) > mostDimensions)
    refuse('dimensions', `${String(dimensions)} is not a whole number from 1 to ${mostDimensions}`);
  if (typeof metric !== 'string' || !Object.hasOwn(metrics, metric))
    refuse('metric', `'${String(metric)}' is unknown; ${oneOf(Object.keys(metrics))}`);
  if (embed !== undefined && typeof embed !== 'function') refuse('embed', 'must be a function');
}
