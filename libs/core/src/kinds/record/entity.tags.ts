import { createHash } from 'node:crypto';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { Model } from '../../model/model.js';
import type { SelectedColumn, Selection } from '../../query/query.plan.js';
import { selectionOf } from '../../query/selection.js';
import { RowLayout, type Row } from '../../sql/row.layout.js';
import { hashLength, RecordVersion } from './record.version.js';

/** The options that say what an answer shows of a record. */
interface ShownSource {
  readonly readableColumnNames: readonly string[];
  readonly outputMap?: unknown;
}

/**
 * The entity tags of an endpoint's answers. `"7"`, the version, where the answer shows nothing but columns of the record, under their
 * own names.
 * `"7-hash"` where it shows what may change while the version does not. Made once per endpoint.
 */
export class EntityTags {
  /** The columns to read: what is shown, and the version. */
  readonly selection: Selection;
  /**
   * The tag of a row of {@link selection}; undefined for one without a version.
   * @param data as it is answered, in JSON text
   */
  readonly of: (row: Row, data: string) => string | undefined;

  private constructor(
    private readonly version: RecordVersion,
    readonly shown: Selection,
    isWhole: boolean,
    private readonly isRenamed: boolean,
  ) {
    this.selection = [...shown, version.selected];
    const layout = new RowLayout(this.selection);
    this.of = isWhole ? version.quotedWithin(layout) : withHash(version.within(layout));
  }

  /** Undefined for a model without versions, which has no entity tags. */
  static of(
    context: KindContext,
    model: Model,
    { readableColumnNames, outputMap }: ShownSource,
  ): EntityTags | undefined {
    const version = RecordVersion.of(context, model);
    if (version === undefined) return undefined;
    const shown = selectionOf(context.owner, model, readableColumnNames);
    // Another version of the endpoint shows the same columns under other names.
    const { isGiven } = context.names;
    const isWhole = !isGiven && outputMap === undefined && shown.every(isOwn);
    return new EntityTags(version, shown, isWhole, isGiven);
  }

  /** Gives the tags of answers that show something else. */
  showing(shown: Selection): EntityTags {
    const { version, isRenamed } = this;
    return new EntityTags(version, shown, !isRenamed && shown.every(isOwn), isRenamed);
  }
}

/** The tags of answers that show what may change while the version does not. */
function withHash(versionIn: (row: Row) => string | undefined): EntityTags['of'] {
  return (row, data) => {
    const version = versionIn(row);
    return version === undefined ? undefined : `"${version}-${hashOf(data)}"`;
  };
}

/** True if something shown is of the record itself, so that it cannot change without a new version. */
function isOwn(member: Selection[number]): boolean {
  if (member.kind === 'parent') return member.presence === undefined && member.members.every(isOwn);
  return member.kind === 'column' && isStored(member);
}

/** A formula may look at other records, and a url expires. */
function isStored({ path: { relations, column } }: SelectedColumn): boolean {
  return relations.length === 0 && column.property.formula === undefined && !column.type.isFleeting;
}

function hashOf(data: string): string {
  return createHash('sha256').update(data).digest('base64url').slice(0, hashLength);
}
