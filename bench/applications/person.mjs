// What the applications that are written by hand have in common: the columns, and the rules for what clients send.

export const columns = [
  'id',
  'email',
  'first_name',
  'last_name',
  'age',
  'company_id',
  'is_active',
  'score',
  'created_at',
  'updated_at',
];

const text = (value) =>
  typeof value === 'string' && value !== '' && value.length <= 100 ? '' : 'a short text';
const whole = (value) => (Number.isInteger(value) && value >= 0 && value < 2 ** 31 ? '' : 'a whole number');

/** What is wrong with a value, or an empty text. */
const rules = {
  email: (value) => (typeof value === 'string' && /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(value) ? '' : 'an email'),
  first_name: text,
  last_name: text,
  age: (value) => (whole(value) === '' && value <= 150 ? '' : 'a whole number up to 150'),
  company_id: whole,
  is_active: (value) => (typeof value === 'boolean' ? '' : 'a boolean'),
  score: (value) => (Number.isFinite(value) ? '' : 'a number'),
};

export const writeable = Object.keys(rules);

/** Complaints by name, or `undefined` when there are none. */
export function complaintsAbout(body, { isComplete }) {
  const complaints = {};
  for (const name of Object.keys(body))
    if (!(name in rules)) complaints[name] = `Input column ${name} is not an allowed input column.`;
  for (const name of writeable) {
    const value = body[name];
    if (value === undefined) {
      if (isComplete) complaints[name] = `'${name}' is required.`;
      continue;
    }
    const wanted = rules[name](value);
    if (wanted !== '') complaints[name] = `value should be ${wanted}`;
  }
  return Object.keys(complaints).length === 0 ? undefined : complaints;
}
