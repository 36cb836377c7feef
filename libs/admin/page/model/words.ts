/** Words for people of names for programs: `starts_on` and `startsOn` are Starts on. */
export function words(name: string): string {
  const text = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_.\-/]+/g, ' ')
    .trim()
    .toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The words of a column: a parent is called by itself, its name and its key go without saying. `tag_ids` are Tags. */
export function columnWords(name: string): string {
  const kept = name.replace(/(?:[._](?:id|code)|(?<=[a-z0-9])(?:Id|ID|Code))(s?)$/, '$1');
  const short = name.includes('.') ? kept.replace(/\.(name|title|label)$/i, '') : kept;
  return words(short === '' ? name : short).replace(/^Id$/, 'ID');
}

/** The letters of a name alone: in every casing `city_id` is `cityid`. */
export function letters(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}
