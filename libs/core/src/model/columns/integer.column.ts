import { checkArguments } from '../../options/checked.arguments.js';
import { check, finiteNumber } from '../../options/checks.js';
import type { OptionCheck } from '../../options/option.check.js';
import { ColumnType, type Arithmetic, type ColumnFacts } from '../column.type.js';
import type { JsonSchema } from '../json.schema.js';
import { orderOperators } from '../operator.js';

/** Ranges of the integer types that SQL databases have; a wider one is cut to what JSON numbers carry exactly. */
const ranges = {
  tinyint: [-128, 127],
  smallint: [-32_768, 32_767],
  int2: [-32_768, 32_767],
  smallserial: [-32_768, 32_767],
  mediumint: [-8_388_608, 8_388_607],
  int: [-2_147_483_648, 2_147_483_647],
  int4: [-2_147_483_648, 2_147_483_647],
  integer: [-2_147_483_648, 2_147_483_647],
  serial: [-2_147_483_648, 2_147_483_647],
} as const satisfies Record<string, readonly [number, number]>;

/** OpenAPI has names for the widths of integers. */
function integers(minimum: number, maximum: number): JsonSchema {
  const { int } = ranges;
  const isNarrow = minimum >= int[0] && maximum <= int[1];
  return { type: 'integer', format: isNarrow ? 'int32' : 'int64', minimum, maximum };
}

const atLeast = (minimum: number): OptionCheck =>
  check(`a number from ${minimum}`, (value) => typeof value === 'number' && value >= minimum);

const digits = /^-?\d+$/;

/** A whole number that JSON carries exactly, within ±(2^53−1). */
export class IntegerColumn extends ColumnType {
  readonly name: string = 'Integer';
  override readonly forcesText = true;
  override readonly operators = orderOperators;
  override readonly ordering: 'number' | 'time' = 'number';
  override readonly arithmetic: Arithmetic | undefined = 'integer';
  readonly schema: JsonSchema;
  override readonly textSchema: JsonSchema = { type: 'string', pattern: '^-?[0-9]+$', examples: ['25'] };

  constructor(
    readonly minimum: number = Number.MIN_SAFE_INTEGER,
    readonly maximum: number = Number.MAX_SAFE_INTEGER,
  ) {
    super();
    checkArguments('IntegerColumn', {
      minimum: [minimum, finiteNumber],
      maximum: [maximum, atLeast(minimum)],
    });
    this.schema = integers(minimum, maximum);
  }

  complaint(value: unknown): string | undefined {
    if (typeof value !== 'number' || !Number.isInteger(value)) return 'value should be an integer';
    if (value >= this.minimum && value <= this.maximum) return undefined;
    return `value should be between ${this.minimum} and ${this.maximum}`;
  }

  override fromText(text: string): unknown {
    return digits.test(text) ? Number(text) : text;
  }

  toWire(value: unknown): string {
    return String(value);
  }

  override narrow({ databaseType }: ColumnFacts): ColumnType {
    if (!Object.hasOwn(ranges, databaseType)) return this;
    const [least, greatest] = ranges[databaseType as keyof typeof ranges];
    const minimum = Math.max(least, this.minimum);
    const maximum = Math.min(greatest, this.maximum);
    return this.with({ minimum, maximum, schema: integers(minimum, maximum) });
  }
}
