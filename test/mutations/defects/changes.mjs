/** What the log of changes tells, and to whom. See defects.mjs. */
export const defects = [
  {
    name: 'the log has values of hidden properties',
    file: 'libs/core/src/metadata/recorded/recorded.entity.ts',
    find: 'hiddenReason(meta, property) !== undefined ||',
    replace: '',
    tests: ['contract/changes'],
  },
  {
    name: 'the log has values of sensitive columns',
    file: 'libs/core/src/metadata/recorded/recorded.entity.ts',
    find: 'definitions.get(property.name)?.sensitive === true',
    replace: 'false',
    tests: ['contract/changes'],
  },
  {
    name: 'the subscriber of the log closes the direct way',
    file: 'libs/core/src/database/listeners.ts',
    find: '!this.#own.has(one)',
    replace: 'one !== undefined',
    tests: ['contract/changes.safety'],
  },
  {
    name: 'a History tells what a record was before it could be seen',
    file: 'libs/core/src/records/changes/record.history.ts',
    find: '>= "*first".begins)',
    replace: 'is not null)',
    tests: ['contract/changes.history'],
  },
  {
    name: 'the change by which a record came tells the values before it',
    file: 'libs/core/src/kinds/changes/change.writer.ts',
    find: 'isFirst ? undefined : before.get(name)',
    replace: 'before.get(name)',
    tests: ['contract/changes.history'],
  },
  {
    name: 'as_of shows a record of a time when it was hidden',
    file: 'libs/core/src/kinds/changes/time.travel.ts',
    find: '(isNarrowed && earlier.hasMoved)',
    replace: '(isNarrowed && false)',
    tests: ['contract/changes.history'],
  },
  {
    name: 'readers of changes do not wait for open transactions',
    file: 'libs/core/src/records/changes/read.changes.ts',
    find: '< pg_snapshot_xmin(pg_current_snapshot())',
    replace: 'is not null',
    tests: ['contract/changes.history'],
  },
  {
    name: 'endpoints may write the log',
    file: 'libs/core/src/kinds/write/record.writes.ts',
    find: 'context.database.changes?.meta.class === entity',
    replace: 'false',
    tests: ['contract/changes.safety'],
  },
];
