/** A name as MariaDB reads it back, whatever is in it. */
export function quoteName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}
