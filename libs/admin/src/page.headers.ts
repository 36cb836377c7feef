import type { HeaderLines } from '@nest-endpoints/core/kinds';
import type { AdminPageOptions } from './admin.options.js';

/**
 * The headers of the page and its files. Nothing inline is allowed, and nothing from elsewhere; requests go to the service, and
 * to whom people log in at.
 */
export function protectingHeaders(login: AdminPageOptions['login']): HeaderLines {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src ${["'self'", ...originsOf(login)].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return [
    ['Content-Security-Policy', policy],
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', 'no-referrer'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
  ];
}

function originsOf(login: AdminPageOptions['login']): readonly string[] {
  if (login === undefined || login === 'token') return [];
  return [...new Set([new URL(login.issuer).origin, ...(login.origins ?? [])])];
}
