export { AdminPage } from './admin.page.js';
export type { AdminOidcLogin, AdminPageOptions, AdminResource } from './admin.options.js';
