/** The characters of a text, which are Unicode code points, as databases count them. */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
