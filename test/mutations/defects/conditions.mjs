/** Each place where a group of conditions could lead out of what a request may see, or to a wrong statement. See defects.mjs. */
const writer = 'libs/core/src/sql/condition.writer.ts';
const reader = 'libs/core/src/request/where.conditions.ts';

export const defects = [
  {
    name: 'conditions: related records of a group are those of anybody',
    file: 'libs/core/src/query/criterion.ts',
    find: '[...(relations.length === 0 ? [] : [{ path: { relations } }]), ...relationUses(members)]',
    replace: 'relationUses(members)',
    tests: ['contract/authorization.property'],
  },
  {
    name: 'conditions: an exists of related records obeys no scope',
    file: writer,
    find: '  related.writeMembers();\n  write(related);',
    replace: '  write(related);',
    tests: ['contract/authorization.property'],
  },
  {
    name: 'conditions: not leaves out what is null',
    file: writer,
    find: "after: ') is not true'",
    replace: "after: ') is false'",
    tests: ['contract/advanced-search.groups'],
  },
  {
    name: 'conditions: trees of other words are one statement',
    file: writer,
    find: '`(${one.word} ${relationText(one.relations)}`',
    replace: "'('",
    tests: ['contract/advanced-search.groups'],
  },
  {
    name: 'conditions: groups may be nested without bound',
    file: reader,
    find: 'if (depth === mostNested)',
    replace: 'if (depth < 0)',
    tests: ['contract/advanced-search.groups.rules'],
  },
  {
    name: 'conditions: what stands in groups is not counted',
    file: reader,
    find: 'if (conditions > most)',
    replace: 'if (entries.length > most)',
    tests: ['contract/advanced-search.groups.rules'],
  },
  {
    name: 'conditions: a required column may stand in a group',
    file: 'libs/core/src/request/groups/group.search.ts',
    find: '(one) => !isGroup(one) && one.path.text === text',
    replace: '(one) => isGroup(one) || one.path.text === text',
    tests: ['contract/advanced-search.groups.rules'],
  },
  {
    name: 'conditions: percent signs of a client are wildcards of contains',
    file: 'libs/core/src/query/like.pattern.ts',
    find: 'text.replaceAll(/[\\\\%_]/g, String.raw`\\$&`)',
    replace: 'text',
    tests: ['contract/advanced-search.groups'],
  },
  {
    name: 'conditions: a JSON member of another sort fails the whole page',
    file: 'libs/core/src/sql/json/json.sql.ts',
    find: "(case when jsonb_typeof${value} = '${jsonbTypes[sort]}' then ${reads[sort]} end)",
    replace: '(${reads[sort]})',
    tests: ['contract/columns.members'],
  },
  {
    name: 'conditions: a JSON value of any depth is walked down',
    file: 'libs/core/src/query/condition.ts',
    find: '!isShortJson(value) || Buffer',
    replace: 'Buffer',
    tests: ['contract/columns.members'],
  },
];
