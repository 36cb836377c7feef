/** A format in which a document can be written. */
export type Notation = 'json' | 'yaml';

const mediaTypes = {
  json: ['application/json', 'application/openapi+json', 'application/vnd.oai.openapi+json'],
  yaml: [
    ...['application/yaml', 'application/openapi+yaml', 'application/vnd.oai.openapi'],
    ...['text/yaml', 'application/x-yaml', 'text/x-yaml'],
  ],
} as const satisfies Record<Notation, readonly string[]>;

interface Range {
  readonly mediaType: string;
  readonly quality: number;
}

/** The weight that a client gives a notation, and how exactly its header names it. */
interface Liking {
  readonly quality: number;
  readonly precision: number;
}

/**
 * Chooses the notation that an `Accept` header asks for (RFC 9110, 12.5.1). YAML is chosen only when it is preferred to
 * JSON, or named where JSON is not. What cannot be served gets JSON.
 */
export function notationFor(accept: string | undefined): Notation {
  const ranges = (accept ?? '').split(',').map(rangeOf);
  const [json, yaml] = [likingOf(ranges, mediaTypes.json), likingOf(ranges, mediaTypes.yaml)];
  if (yaml.quality === 0 || yaml.quality < json.quality) return 'json';
  return yaml.quality > json.quality || yaml.precision > json.precision ? 'yaml' : 'json';
}

function rangeOf(text: string): Range {
  const [mediaType = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return { mediaType, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}

/** The most exact range decides about each media type. */
function likingOf(ranges: readonly Range[], types: readonly string[]): Liking {
  const likings = types.map((type) => {
    const [family = ''] = type.split('/');
    const precise = [type, `${family}/*`, '*/*'];
    const index = precise.findIndex((wanted) => ranges.some(({ mediaType }) => mediaType === wanted));
    const range = ranges.find(({ mediaType }) => mediaType === precise[index]);
    return { quality: range?.quality ?? 0, precision: index === -1 ? 0 : precise.length - index };
  });
  return likings.reduce((best, one) =>
    one.quality > best.quality || (one.quality === best.quality && one.precision > best.precision)
      ? one
      : best,
  );
}
