/** The name of a directory as npm takes it for a package: lower case, without spaces and signs of its own. */
export function packageNameOf(directory: string): string {
  const name = directory
    .toLowerCase()
    .replaceAll(/[^a-z\d._~-]+/g, '-')
    .replaceAll(/^[._-]+|-+$/g, '');
  return name.slice(0, 214) || 'helpdesk';
}
