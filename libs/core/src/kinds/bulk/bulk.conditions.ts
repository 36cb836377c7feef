import type { KindContext } from '../../endpoint/kind.context.js';
import type { JsonSchema } from '../../model/json.schema.js';
import type { Model } from '../../model/model.js';
import { searchableColumns } from '../../query/list.columns.js';
import { whereControl } from '../../request/where.controls.js';
import { WhereConditions, type SearchLimits } from '../../request/where.conditions.js';
import type { MetRecords } from '../../records/writes/bulk/bulk.writes.js';
import { subjectOf } from '../record/record.description.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import type { BulkBody, SentBulk } from './bulk.body.js';
import type { BulkTargetOptions } from './bulk.options.js';

/** The options that say by which conditions records can be named. */
interface ConditionOptions extends BulkTargetOptions, SearchLimits {
  readonly transformInputTypes?: boolean | undefined;
}

/** The conditions by which a client names records. Made once per endpoint. */
export class BulkConditions {
  private constructor(
    private readonly where: WhereConditions,
    /** The members of the form in a body, for documents. */
    readonly schemas: () => Record<string, JsonSchema>,
  ) {}

  /** Undefined where conditions are not asked for. @throws ConfigurationError where no column can be searched */
  static of(context: KindContext, model: Model, options: ConditionOptions): BulkConditions | undefined {
    const { byConditions = false, searchableColumnNames = [], transformInputTypes = false } = options;
    if (!byConditions) return undefined;
    const { owner, names } = context;
    if (searchableColumnNames.length === 0)
      throw new ConfigurationError(owner, 'byConditions', 'needs searchableColumnNames');
    const searchable = searchableColumns(owner, model, names, searchableColumnNames);
    const subject = subjectOf(context, model);
    const source = { owner, subject, names, columns: { searchable }, forcesText: transformInputTypes };
    const where = new WhereConditions(source, options);
    const { mostConditions: conditions, mostValues: values, records } = where;
    return new BulkConditions(where, () => whereControl(source, records, { conditions, values }, true));
  }

  /** @throws BadRequest */
  read(sent: SentBulk, body: BulkBody): MetRecords {
    const conditions = this.where.read(sent.name, sent.list);
    return { conditions, maximum: body.maximum(sent) };
  }
}
