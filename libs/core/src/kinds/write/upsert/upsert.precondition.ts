import type { KindTraits } from '../../../endpoint/compiled.kind.js';
import type { KindContext } from '../../../endpoint/kind.context.js';
import type { PreconditionOptions } from '../../../endpoint/options/endpoint.options.js';
import type { EndpointRequest } from '../../../endpoint/request/endpoint.request.js';
import type { OperationDescription } from '../../../endpoint/description/operation.description.js';
import type { Model } from '../../../model/model.js';
import type { ExpectedVersions, UpsertTarget } from '../../../records/writes/writes.js';
import { entityTags, type EntityTagList } from '../../../wire/entity.tag.list.js';
import type { Outcome } from '../../../wire/outcome.table.js';
import { PreconditionRequired } from '../../../wire/refusals.js';
import { versionIn } from '../../record/record.version.js';
import { WritePrecondition } from '../write.precondition.js';

const anything: UpsertTarget = { mayCreate: true, mayUpdate: true, expected: undefined };

/** The demands of `If-Match` and `If-None-Match` on the record that an Upsert is about. Made once per endpoint. */
export class UpsertPrecondition implements KindTraits {
  readonly reads = ['If-Match', 'If-None-Match'];
  /** The check of a locked record. */
  readonly versions: WritePrecondition;
  readonly #isRequired: boolean;

  /** @throws ConfigurationError where a version is demanded that the model has not */
  constructor(context: KindContext, model: Model, options: PreconditionOptions) {
    this.versions = new WritePrecondition(context, model, options);
    this.#isRequired = options.preconditionRequired === true;
  }

  /** The description of the headers in documents. */
  static described(options: PreconditionOptions): {
    readonly headerParameters: NonNullable<OperationDescription['headerParameters']>;
    readonly refusals: readonly Outcome[];
  } {
    const { headerParameters, refusals } = WritePrecondition.described({});
    const description = 'With `*` a record that is there is left alone.';
    return {
      headerParameters: { ...headerParameters, 'If-None-Match': { description } },
      refusals: options.preconditionRequired === true ? [...refusals, 'preconditionRequired'] : refusals,
    };
  }

  /** @throws BadRequest, PreconditionRequired */
  read(request: EndpointRequest): UpsertTarget {
    const { 'if-match': match, 'if-none-match': noMatch } = request.headers;
    if (match === undefined && noMatch === undefined) {
      if (this.#isRequired) throw new PreconditionRequired();
      return anything;
    }
    const known = match === undefined ? undefined : this.versions.read(request);
    const mayCreate = match === undefined;
    if (noMatch === undefined) return { mayCreate, mayUpdate: true, expected: known };
    const tags = entityTags('If-None-Match', noMatch);
    if (tags === 'any') return { mayCreate, mayUpdate: false, expected: known };
    return { mayCreate, mayUpdate: true, expected: butNot(tags, known) };
  }
}

/** Versions without those of some tags, weak ones too (RFC 9110, 13.1.2). No statement says so. */
function butNot(tags: EntityTagList, known: ExpectedVersions | undefined): ExpectedVersions {
  const refused = tags.weak.map(versionIn);
  return {
    condition: undefined,
    includes: (version) =>
      (known === undefined || known.includes(version)) &&
      (version === undefined || !refused.includes(version)),
  };
}
