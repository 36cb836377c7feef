/** The methods an endpoint may answer. HEAD comes with GET; OPTIONS is answered for every path. */
export const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'] as const;

/** A method an endpoint may answer. */
export type HttpMethod = (typeof httpMethods)[number];

/** The method whose endpoints answer a request line's method. */
export function answeringMethod(method: string): string {
  return method === 'HEAD' ? 'GET' : method;
}
