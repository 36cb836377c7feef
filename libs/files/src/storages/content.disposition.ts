/** A name for clients that read none but ASCII. */
function asciiOf(name: string): string {
  return name.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\%]/g, '_');
}

/** UTF-8 as RFC 8187 writes it: every byte that is not plain as `%xx`. */
function extendedOf(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Gives the value of `Content-Disposition` (RFC 6266), with the name as it is (RFC 8187). @param name is well-formed */
export function contentDisposition(name: string, isInline: boolean): string {
  const kind = isInline ? 'inline' : 'attachment';
  const ascii = asciiOf(name);
  const extended = ascii === name ? '' : `; filename*=UTF-8''${extendedOf(name)}`;
  return `${kind}; filename="${ascii}"${extended}`;
}
