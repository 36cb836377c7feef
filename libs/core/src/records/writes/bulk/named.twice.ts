/** The complaint about a target that is a record which another one is already. @param before the place of the other one */
export function namedTwice(before: string): string {
  return `the same record is named in ${before}`;
}
