/** Columns of types that only the database knows. See defects.mjs. */
const foreign = ['contract/columns.foreign'];

export const defects = [
  {
    name: 'an interval in words is stored as no time at all',
    file: 'libs/core/src/metadata/entity.value.ts',
    find: "if (type.isText && runtimeType === 'string') return given;",
    replace: '',
    tests: foreign,
  },
];
