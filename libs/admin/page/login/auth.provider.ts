import type { AuthProvider } from 'react-admin';
import type { Login } from './login.js';

/** Tells react-admin who has logged in. */
export function authProviderOf(login: Login): AuthProvider {
  return {
    login: () => Promise.resolve(),
    logout: async () => {
      await login.leave();
      return undefined;
    },
    checkAuth: async () => {
      // A token that cannot be renewed now is told by the requests that need it: to be refused here would end the login.
      const token = await login.token().catch(() => 'not renewed yet');
      if (token === undefined) throw new Error('Log in first');
    },
    // Whoever may not do something may do other things: only a token that is not believed ends it.
    checkError: ({ status }: { status?: number }) =>
      status === 401 ? Promise.reject(new Error('Log in again')) : Promise.resolve(),
    getIdentity: async () => {
      const fullName = (await login.name()) ?? 'You';
      return { id: fullName, fullName };
    },
    getPermissions: () => Promise.resolve(undefined),
  };
}
