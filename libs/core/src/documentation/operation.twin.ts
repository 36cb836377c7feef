import type { DocumentedOperation } from '../endpoint/description/open.api.js';
import type { OperationDescription } from '../endpoint/description/operation.description.js';
import type { HttpMethod } from '../endpoint/http.method.js';

/** The member of an operation that names the method of the operation which asks the same. */
const sameAs = 'x-same-as';

/** The methods whose bodies clients can send; of others HTTP says that a body means nothing (RFC 9110, 9.3). */
const methodsWithBody: readonly HttpMethod[] = ['POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'];

/** True if documents show a body for a method of an endpoint. */
export function showsBody({ body }: OperationDescription, method: HttpMethod): boolean {
  return body !== undefined && methodsWithBody.includes(method);
}

/** An operation that asks what another one at its path asks, as a search by POST does beside the one by GET. */
export class OperationTwin {
  private constructor(
    private readonly of: HttpMethod,
    private readonly method: HttpMethod,
    private readonly description: OperationDescription,
  ) {}

  /** The twin that an endpoint's operation by a method is; undefined where it is the one that is shown. */
  static at(
    method: HttpMethod,
    methods: readonly HttpMethod[],
    description: OperationDescription,
  ): OperationTwin | undefined {
    const shown = description.asksAlike === true ? shownOf(methods, description) : undefined;
    return shown === undefined || shown === method
      ? undefined
      : new OperationTwin(shown, method, description);
  }

  get extension(): Pick<DocumentedOperation, typeof sameAs> {
    return { [sameAs]: this.of.toLowerCase() };
  }

  /** The description that tells of both. @param usual that of the other one */
  describe(usual: string): string {
    const { of, description } = this;
    const [hasBody, otherHasBody] = [showsBody(description, this.method), showsBody(description, of)];
    if (hasBody === otherHasBody) return `Asks what ${of} asks at this path. ${usual}`;
    if (hasBody) return `Asks what ${of} asks at this path; a JSON body may say it, too. ${usual}`;
    if (asksByBodyAlone(description)) return `Answers what ${of} at this path answers without a body.`;
    return `Asks what ${of} asks at this path, in the query string. ${usual}`;
  }
}

/** The operation without the name of a twin that is not at its path: another endpoint may take those requests. */
export function withoutLostTwin(
  operation: DocumentedOperation,
  isThere: (method: HttpMethod) => boolean,
): DocumentedOperation {
  const { [sameAs]: other, ...alone } = operation;
  return other === undefined || isThere(other.toUpperCase() as HttpMethod) ? operation : alone;
}

/**
 * The method that stands for the others: the first with which a client can say all that there is to say. Not every format
 * of documents has a word for QUERY.
 */
function shownOf(methods: readonly HttpMethod[], description: OperationDescription): HttpMethod | undefined {
  const usual = methods.filter((method) => method !== 'QUERY');
  const able = asksByBodyAlone(description)
    ? usual.find((method) => showsBody(description, method))
    : undefined;
  return able ?? usual[0];
}

function asksByBodyAlone({ body, queryParameters = {} }: OperationDescription): boolean {
  return body !== undefined && Object.keys(queryParameters).length === 0;
}
