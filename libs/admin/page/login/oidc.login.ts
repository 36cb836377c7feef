import { ErrorResponse, UserManager, WebStorageStateStore, type User } from 'oidc-client-ts';
import type { OidcLogin } from '../page.config.js';
import type { Login } from './login.js';

/** The errors of a provider that say nothing of whoever asks. */
const passing: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable']);

/** The answer of a provider is in the query of the page's address. */
const answered = (): boolean => {
  const query = new URLSearchParams(location.search);
  return query.has('state') && (query.has('code') || query.has('error'));
};

/** A login by OpenID Connect: the code flow with PKCE. Tokens are kept as long as the tab is open. */
export async function oidcLogin(page: string, { issuer, clientId, scope }: OidcLogin): Promise<Login> {
  const manager = new UserManager({
    authority: issuer,
    client_id: clientId,
    redirect_uri: page,
    post_logout_redirect_uri: page,
    response_type: 'code',
    scope: scope ?? 'openid profile',
    userStore: new WebStorageStateStore({ store: sessionStorage }),
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
    // Renewal in a hidden frame is what a strict policy forbids; with a refresh token it is done when it is due.
    automaticSilentRenew: false,
    monitorSession: false,
  });
  const renewed = oneAtATime(() => currentUser(manager));
  const problem = answered() ? await comeBack(manager, page) : undefined;
  return {
    token: async () => (await renewed())?.access_token,
    name: async () => {
      const { profile } = (await manager.getUser()) ?? {};
      return profile?.name ?? profile?.preferred_username ?? profile?.sub;
    },
    leave: () => manager.removeUser(),
    goThere: () => manager.signinRedirect({ state: location.hash }),
    problem,
    take: undefined,
  };
}

/** Takes the answer of the provider out of the address. @returns why it is none: it may be old, or of somebody else's making */
async function comeBack(manager: UserManager, page: string): Promise<string | undefined> {
  try {
    const { state } = await manager.signinRedirectCallback();
    const place = typeof state === 'string' && state.startsWith('#') ? state : '';
    history.replaceState(null, '', `${page}${place}`);
    return undefined;
  } catch (error) {
    history.replaceState(null, '', page);
    const isRefused = error instanceof ErrorResponse && error.error === 'access_denied';
    return isRefused ? 'The identity provider has refused it.' : 'That did not work. Log in once more.';
  }
}

/** Gives all who ask meanwhile one answer: a token for renewals is often good for one, and two would end the login. */
function oneAtATime<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () =>
    (asked ??= ask().finally(() => {
      asked = undefined;
    }));
}

/** @throws Error where the provider cannot be asked now: whoever has logged in stays so, with what is in the form */
async function currentUser(manager: UserManager): Promise<User | null> {
  const user = await manager.getUser();
  if (user?.expired !== true) return user;
  if (user.refresh_token === undefined) return null;
  try {
    return await manager.signinSilent();
  } catch (error) {
    if (error instanceof ErrorResponse && !passing.has(error.error ?? '')) return null;
    throw error;
  }
}
