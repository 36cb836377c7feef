/** True if the first bytes of a file can be of a type. */
type Signature = (head: Buffer) => boolean;

/** Makes a signature of text that stands at a place. Each character is a byte. */
function at(offset: number, ...texts: readonly string[]): Signature {
  return (head) =>
    texts.some((text) => head.subarray(offset, offset + text.length).equals(Buffer.from(text, 'latin1')));
}

/** A box of the ISO base media format, with one of these brands. */
function brand(...brands: readonly string[]): Signature {
  const isBox = at(4, 'ftyp');
  const isBrand = at(8, ...brands);
  return (head) => isBox(head) && isBrand(head);
}

const all =
  (...signatures: readonly Signature[]): Signature =>
  (head) =>
    signatures.every((one) => one(head));

const zip = at(0, 'PK\x03\x04', 'PK\x05\x06');

/** The beginnings of files that are something else than text, whatever their bytes are. */
const notText = /^(?:%PDF-|GIF8|\{\\rtf|%!PS)/;

/** True for a byte that no text has: tab, line ends, form feed and escape are in some. */
function isControl(byte: number): boolean {
  return byte < 9 || (byte > 13 && byte < 32 && byte !== 27);
}

/** Text: UTF-8 without control characters. A character that the end of the bytes cuts is none that is wrong. */
const text: Signature = (head) => {
  try {
    const given = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return !head.some(isControl) && !notText.test(given);
  } catch {
    return false;
  }
};

/** Text of which browsers make no page, whatever they are told it is. */
const plain: Signature = (head) =>
  text(head) &&
  !/^[\s\ufeff]*<(?:!doctype|html|head|body|script|iframe|svg|\?xml|!--)/i.test(head.toString());

const office = 'application/vnd.openxmlformats-officedocument.';

/** The types that bytes bear out, each with what its files begin with. */
const signatures: Readonly<Record<string, Signature>> = {
  'image/png': at(0, '\x89PNG\r\n\x1a\n'),
  'image/jpeg': at(0, '\xff\xd8\xff'),
  'image/gif': at(0, 'GIF87a', 'GIF89a'),
  'image/webp': all(at(0, 'RIFF'), at(8, 'WEBP')),
  'image/avif': brand('avif', 'avis'),
  'image/heic': brand('heic', 'heix', 'mif1'),
  'image/bmp': at(0, 'BM'),
  'image/tiff': at(0, 'II*\0', 'MM\0*'),
  'image/svg+xml': (head) => text(head) && /<svg[\s>]/i.test(head.toString()),
  'application/pdf': at(0, '%PDF-'),
  'application/zip': zip,
  'application/epub+zip': zip,
  [`${office}wordprocessingml.document`]: zip,
  [`${office}spreadsheetml.sheet`]: zip,
  [`${office}presentationml.presentation`]: zip,
  'application/vnd.oasis.opendocument.text': zip,
  'application/vnd.oasis.opendocument.spreadsheet': zip,
  'application/gzip': at(0, '\x1f\x8b'),
  'application/x-7z-compressed': at(0, "7z\xbc\xaf'\x1c"),
  'audio/mpeg': at(0, 'ID3', '\xff\xfb', '\xff\xf3', '\xff\xf2'),
  'audio/ogg': at(0, 'OggS'),
  'audio/wav': all(at(0, 'RIFF'), at(8, 'WAVE')),
  'audio/flac': at(0, 'fLaC'),
  'audio/mp4': brand('M4A '),
  'video/mp4': brand('isom', 'iso2', 'iso4', 'iso5', 'iso6', 'mp41', 'mp42', 'avc1', 'M4V '),
  'video/quicktime': brand('qt  '),
  'video/webm': at(0, '\x1a\x45\xdf\xa3'),
  'font/woff': at(0, 'wOFF'),
  'font/woff2': at(0, 'wOF2'),
  'text/plain': plain,
  'text/csv': plain,
  'text/markdown': plain,
  'text/calendar': all(text, at(0, 'BEGIN:VCALENDAR')),
  'text/vcard': all(text, at(0, 'BEGIN:VCARD')),
  'text/html': text,
  'application/json': (head) => text(head) && /^[\s\ufeff]*[[{"\-0-9tfn]/.test(head.toString()),
  'application/xml': (head) => text(head) && /^[\s\ufeff]*</.test(head.toString()),
};

/** The types that a column may take. */
export const fileTypes: readonly string[] = Object.keys(signatures);

/** The types that browsers may show at our origin: nothing in them runs. */
const safeInline: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'application/pdf',
]);

/** True if the first bytes of a file can be of the type that somebody says. */
export function isOfType(type: string, head: Buffer): boolean {
  return Object.hasOwn(signatures, type) && signatures[type]?.(head) === true;
}

/** True if a file of the type may be shown in place of saved. SVG and HTML never are: scripts run in them. */
export function mayBeInline(type: string): boolean {
  return safeInline.has(type);
}
