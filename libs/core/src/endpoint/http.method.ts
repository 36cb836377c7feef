/** The methods an endpoint may answer. HEAD comes with GET; OPTIONS is answered for every path. */
export const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'] as const;

/** A method an endpoint may answer. */
export type HttpMethod = (typeof httpMethods)[number];

/** Methods that ask for no change (RFC 9110, 9.2.1; QUERY: RFC 10008, 2.1). */
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY']);

export function isSafe(method: string): boolean {
  return safeMethods.has(method);
}

/** The method whose endpoints answer a request line's method. */
export function answeringMethod(method: string): string {
  return method === 'HEAD' ? 'GET' : method;
}
