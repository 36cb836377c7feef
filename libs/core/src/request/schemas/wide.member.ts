/** The most members of one object, where what reads it compares each of them with all others. */
export const mostMembers = 1000;

/** The path of an object with more than {@link mostMembers}, which is empty for the value itself; undefined where there is none. */
export function wideMember(value: object, path = ''): string | undefined {
  const names = Object.keys(value);
  if (!Array.isArray(value) && names.length > mostMembers) return path;
  for (const name of names) {
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (typeof member !== 'object' || member === null) continue;
    const wide = wideMember(member, path === '' ? name : `${path}.${name}`);
    if (wide !== undefined) return wide;
  }
  return undefined;
}
