/** A Security Scheme Object of OpenAPI, as `@nestjs/swagger` takes it. */
export interface SecuritySchemeObject {
  type: 'apiKey' | 'http' | 'oauth2' | 'openIdConnect';
  description?: string;
  name?: string;
  in?: string;
  scheme?: string;
  bearerFormat?: string;
  openIdConnectUrl?: string;
  flows?: OAuthFlowsObject;
  [extension: `x-${string}`]: unknown;
}

/** The flows of OAuth 2 that a scheme has. */
export interface OAuthFlowsObject {
  implicit?: OAuthFlowObject;
  password?: OAuthFlowObject;
  clientCredentials?: OAuthFlowObject;
  authorizationCode?: OAuthFlowObject;
}

/** The URL where one flow of OAuth 2 begins, and the scopes that it gives. */
export interface OAuthFlowObject {
  authorizationUrl?: string;
  tokenUrl?: string;
  refreshUrl?: string;
  scopes: Record<string, string>;
}
