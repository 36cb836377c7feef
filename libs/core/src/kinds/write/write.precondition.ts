import type { KindTraits } from '../../endpoint/compiled.kind.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { PreconditionOptions } from '../../endpoint/options/endpoint.options.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { OperationDescription } from '../../endpoint/description/operation.description.js';
import type { Model } from '../../model/model.js';
import type { RecordKey } from '../../records/record.store.js';
import type { BulkVersionCheck } from '../../records/writes/bulk/bulk.parts.js';
import type { PlacedTarget } from '../../records/writes/bulk/bulk.writes.js';
import type { VersionCheck } from '../../records/writes/unit.parts.js';
import type { ExpectedVersions } from '../../records/writes/writes.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { entityTags } from '../../wire/entity.tag.list.js';
import type { Outcome } from '../../wire/outcome.table.js';
import { PreconditionFailed, PreconditionRequired } from '../../wire/refusals.js';
import { RecordVersion, versionIn } from '../record/record.version.js';

/** The demand of `If-Match` on the record that an Update or Delete is about. Made once per endpoint. */
export class WritePrecondition
  implements VersionCheck<EndpointRequest>, BulkVersionCheck<EndpointRequest>, KindTraits
{
  readonly reads = ['If-Match'];
  readonly #version: RecordVersion | undefined;
  readonly #isRequired: boolean;

  /** @throws ConfigurationError where a version is demanded that the model has not */
  constructor(context: KindContext, model: Model, { preconditionRequired = false }: PreconditionOptions) {
    this.#version = RecordVersion.of(context, model);
    this.#isRequired = preconditionRequired;
    if (!preconditionRequired || this.#version !== undefined) return;
    const problem = `${model.meta.className} has no version: give it a property with \`version: true\``;
    throw new ConfigurationError(context.owner, 'preconditionRequired', problem);
  }

  /** The description of the header in documents. */
  static described({ preconditionRequired: isRequired = false }: PreconditionOptions): {
    readonly headerParameters: NonNullable<OperationDescription['headerParameters']>;
    readonly refusals: readonly Outcome[];
  } {
    const description = 'The entity tag that the client knows: another version of the record is left alone.';
    return {
      headerParameters: { 'If-Match': { description, isRequired } },
      refusals: ['preconditionFailed', ...(isRequired ? (['preconditionRequired'] as const) : [])],
    };
  }

  /**
   * Reads what the request demands; undefined when it may change whatever is there.
   * @throws BadRequest, PreconditionRequired
   */
  read({ headers: { 'if-match': header } }: EndpointRequest): ExpectedVersions | undefined {
    if (header === undefined) {
      if (this.#isRequired) throw new PreconditionRequired();
      return undefined;
    }
    const tags = entityTags('If-Match', header);
    return tags === 'any' ? undefined : this.#named(tags.strong);
  }

  /**
   * Reads what an entry of a body demands: a version, or an entity tag as a header has it, or `*`.
   * @param text undefined where the entry says nothing
   * @param place of the entry
   * @throws PreconditionRequired
   */
  readEntry(text: string | undefined, place: string): ExpectedVersions | undefined {
    if (text === undefined) {
      this.refuseUnnamed(place);
      return undefined;
    }
    if (text.trim() === '*') return undefined;
    const [, quoted] = /^"([!#-~\x80-\xff]*)"$/.exec(text) ?? [];
    return this.#named([quoted ?? text]);
  }

  /** Refuses what names no version where one is demanded. @throws PreconditionRequired */
  refuseUnnamed(place?: string): void {
    if (this.#isRequired) throw new PreconditionRequired(place);
  }

  #named(tags: readonly string[]): ExpectedVersions {
    const texts: string[] = [];
    for (const tag of tags) {
      const version = versionIn(tag);
      if (version !== undefined) texts.push(version);
    }
    const includes = (version: string | undefined): boolean =>
      version !== undefined && texts.includes(version);
    return { condition: this.#version?.among(texts), includes };
  }

  /** Asked while the record is locked. @throws PreconditionFailed when it is in none of the versions */
  async check(
    { session }: EndpointRequest,
    id: RecordKey,
    expected: ExpectedVersions | undefined,
  ): Promise<void> {
    if (expected === undefined) return;
    if (!expected.includes(await this.#version?.of(session, id))) throw new PreconditionFailed();
  }

  /** {@link check} of many records, with one statement. */
  async checkAll(
    { session }: EndpointRequest,
    records: readonly (PlacedTarget & { readonly id: RecordKey })[],
  ): Promise<void> {
    const demanding = records.filter(({ expected }) => expected !== undefined);
    if (demanding.length === 0) return;
    const ids = demanding.map(({ id }) => id);
    const versionOf = await this.#version?.ofAll(session, ids);
    const stale = demanding.find(({ id, expected }) => expected?.includes(versionOf?.(id)) === false);
    if (stale !== undefined) throw new PreconditionFailed(stale.place);
  }
}
