import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import { RawReply } from '@nest-endpoints/core/kinds';
import type * as Yaml from 'yaml';
import { notationFor, type Notation } from './media.types.js';

interface Text {
  readonly bytes: Buffer;
  readonly etag: string;
}

const contentTypes = {
  json: 'application/json; charset=UTF-8',
  yaml: 'application/yaml; charset=UTF-8',
} as const satisfies Record<Notation, string>;

/** A document as it is served: each notation is written once, with an entity tag. */
export class ServedDocument {
  readonly #texts = new Map<Notation, Text>();

  constructor(private readonly document: object) {}

  /** The answer to a request: the document in the notation it accepts, or that it has not changed. */
  reply({ accept, 'if-none-match': known }: IncomingHttpHeaders): RawReply {
    const notation = notationFor(accept);
    const { bytes, etag } = this.#text(notation);
    const headers = [
      ['ETag', etag],
      ['Vary', 'Accept'],
    ] as const;
    const isKnown = known !== undefined && isMatch(known, etag);
    return new RawReply(isKnown ? '' : bytes, contentTypes[notation], headers, isKnown ? 304 : 200);
  }

  #text(notation: Notation): Text {
    const known = this.#texts.get(notation);
    if (known !== undefined) return known;
    const { document } = this;
    const bytes = Buffer.from(
      notation === 'json' ? JSON.stringify(document) : yaml().stringify(document, yamlOptions),
    );
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
    const text = { bytes, etag };
    this.#texts.set(notation, text);
    return text;
  }
}

const require = createRequire(import.meta.url);

/** Loaded when somebody asks for YAML, which few do. */
const yaml = (): typeof Yaml => require('yaml') as typeof Yaml;

/** Written out in full, because not every reader of OpenAPI knows anchors. */
const yamlOptions = { aliasDuplicateObjects: false, lineWidth: 0 };

/** True if one of the tags of an `If-None-Match` header is this one, weak or not (RFC 9110, 13.1.2). */
function isMatch(header: string, etag: string): boolean {
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
