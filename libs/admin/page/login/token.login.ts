import { subjectIn, type Login } from './login.js';

/** A token that is kept as long as the tab is open. */
export function tokenLogin(page: string): Login {
  const key = `admin-token ${page}`;
  const stored = (): string | undefined => sessionStorage.getItem(key) ?? undefined;
  return {
    token: () => Promise.resolve(stored()),
    name: () => Promise.resolve(subjectIn(stored() ?? '')),
    leave: () => {
      sessionStorage.removeItem(key);
      return Promise.resolve();
    },
    goThere: undefined,
    problem: undefined,
    take: (token) => sessionStorage.setItem(key, token.trim().replace(/^Bearer\s+/i, '')),
  };
}
