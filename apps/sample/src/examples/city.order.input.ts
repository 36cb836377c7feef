import { InvalidInput, type JsonSchema } from '@nest-endpoints/core';
import { typeComplaint, type KindContext, type Model } from '@nest-endpoints/core/kinds';

/** How many cities one request may put in order. */
const most = 100;

/** Reads `{ "ids": [3, 1, 2] }`. */
export class CityOrderInput {
  /** `ids`, as clients write it. */
  readonly #name: string;

  constructor(
    { names }: KindContext,
    private readonly cities: Model,
  ) {
    this.#name = names.outward('ids');
  }

  /** The body in documents. */
  get schema(): JsonSchema {
    const ids: JsonSchema = { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: most };
    const properties = { [this.#name]: ids };
    return { type: 'object', properties, required: [this.#name], additionalProperties: false };
  }

  /** @throws InvalidInput with everything that is wrong */
  read(body: ReadonlyMap<string, unknown>): readonly number[] {
    const others = [...body.keys()].filter((name) => name !== this.#name);
    const complaints = new Map(
      others.map((name) => [name, `Input column ${name} is not an allowed input column.`]),
    );
    const ids = body.get(this.#name) ?? [];
    const complaint = this.#complaintAbout(ids);
    if (complaint !== undefined) complaints.set(this.#name, complaint);
    if (complaints.size > 0) throw new InvalidInput(complaints);
    return ids as readonly number[];
  }

  /** What is said of ids that are not of cities of the country. */
  unknown(ids: readonly number[]): InvalidInput {
    return new InvalidInput(new Map([[this.#name, `no cities of the country: ${ids.join(', ')}`]]));
  }

  #complaintAbout(sent: unknown): string | undefined {
    if (!Array.isArray(sent)) return 'value should be a list';
    const ids: readonly unknown[] = sent;
    if (ids.length === 0) return `'${this.#name}' is required.`;
    if (ids.length > most) return `value should have at most ${most} ids`;
    const { idColumn } = this.cities;
    const mistyped = ids
      .map((id) => typeComplaint(idColumn, id))
      .find((complaint) => complaint !== undefined);
    const twice = ids.find((id, index) => ids.indexOf(id) !== index);
    return mistyped ?? (twice === undefined ? undefined : `${JSON.stringify(twice)} is there twice`);
  }
}
