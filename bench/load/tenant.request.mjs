const token = process.env.BENCH_TENANT_TOKEN;
const authorization = `\r\nAuthorization: Bearer ${token}\r\n`;

/** A request with the token of the tenant. Whoever asks for no token gets none: its bytes are part of what it costs. */
export const asTenant = (text) => text.replace('\r\n', authorization);

/** Feathers' queries name the table. */
export const asTenantOfFeathers = (text) => asTenant(text).replaceAll('users.id', 'tenant_users.id');
