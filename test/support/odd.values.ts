class Wrong {
  readonly isWrong = true;
}

/** What may stand where something else is due, in JavaScript and in files that import each other. */
export const values = {
  null: null,
  text: 'x',
  'empty text': '',
  one: 1,
  zero: 0,
  negative: -1,
  fraction: 1.5,
  NaN,
  infinity: Infinity,
  true: true,
  false: false,
  bigint: 1n,
  symbol: Symbol('x'),
  object: {},
  'other object': { x: 1 },
  'empty list': [],
  'list of a text': ['x'],
  'list of undefined': [undefined],
  'list of null': [null],
  'list with a hole': Array(1),
  'list of a number': [1],
  'list of a list': [[]],
  'list of an object': [{}],
  'list of a function': [() => undefined],
  'list of a class': [Wrong],
  function: () => undefined,
  class: Wrong,
  instance: new Map(),
  promise: Promise.resolve(),
} as const;

/** The name of such a value. */
export type Value = keyof typeof values;
