/** Who is let in, and what they see. See defects.mjs. */
const access = 'libs/core/src/endpoint/endpoint.access.ts';

export const defects = [
  {
    name: 'a Schema is public',
    file: 'libs/openapi/src/schema.ts',
    find: '  override readonly readsBody = false;',
    replace: `  override readonly readsBody = false;
  override readonly isPublic = true;`,
    tests: ['contract/schema'],
  },
  {
    name: 'a remembered token holds after its kid names another key',
    file: 'libs/auth/src/token/token.verifier.ts',
    find: 'now < validity.until && keys.find(key.kid, alg) === key',
    replace: 'now < validity.until',
    tests: ['contract/jwks.keys'],
  },
  {
    name: 'a remembered token holds after it has expired',
    file: 'libs/auth/src/token/token.verifier.ts',
    find: 'now < validity.until && keys.find',
    replace: 'keys.find',
    tests: ['contract/jwks.keys'],
  },
  {
    name: 'the signature of a token is not looked at',
    file: 'libs/auth/src/token/token.verifier.ts',
    find: `    await checkSignature(token, await key.for(alg), alg);
`,
    replace: '',
    tests: ['contract/jwks.signatures'],
  },
  {
    name: 'the issuer does not tell subjects apart',
    file: 'libs/core/src/replicas/recent.writes.ts',
    find: `typeof iss === 'string' ? iss : null`,
    replace: `typeof iss === 'string' ? null : null`,
    tests: ['contract/read-your-writes'],
  },
  {
    name: 'a rule of authorization is not asked',
    file: 'libs/core/src/access/authorized.records.ts',
    find: 'else if (isConcerned) asked.push(rule);',
    replace: 'else if (isConcerned && this.isOpen) asked.push(rule);',
    tests: ['contract/authorization.records'],
  },
  {
    name: 'anyOf is met by nobody',
    file: 'libs/core/src/sql/restriction.writer.ts',
    find: `' or ('`,
    replace: `' and ('`,
    tests: ['contract/authorization.rules'],
  },
  {
    name: 'the issuer does not tell senders apart',
    file: 'libs/core/src/kinds/write/request.sender.ts',
    find: 'return identityText([iss, sub, ...members], nothing);',
    replace: 'return identityText([null, sub, ...members], nothing);',
    tests: ['contract/idempotency.senders', 'contract/idempotency.tenants'],
  },
  {
    name: 'a second strategy of one name takes the place of the first',
    file: 'libs/auth/src/strategy.registration.ts',
    find: 'if (other === undefined || judges.get(other) === this.judge) return other;',
    replace: `if (other === undefined || this.name !== '') return other;`,
    tests: ['contract/jwks.start-up'],
  },
  {
    name: 'nobody looks at the access of an operation',
    file: 'libs/core/src/nest/features/leaf.settings.ts',
    find: 'groups.flatMap((group) => [group.options, group.accessTo(one)])',
    replace: 'groups.map((group) => group.options)',
    tests: ['contract/access.operations'],
  },
  {
    name: 'a class that replaces a kind has the access of a call',
    file: 'libs/core/src/kinds/restful-api.ts',
    find: 'return this.#members.get(member) ?? member.operation;',
    replace: 'return member.operation;',
    tests: ['contract/access.operations'],
  },
  {
    name: 'entities within other data are shown as they are',
    file: 'libs/core/src/records/held.entities.ts',
    find: 'if (this.#visit(member)) holds = true;',
    replace: 'if (!isObject(member)) holds = false;',
    tests: ['contract/callable.instances'],
  },
  {
    name: 'a gate that promises its verdict lets everybody in',
    file: access,
    find: 'said === true ? this.#refusing(request, index + 1) : index,',
    replace: 'said === true ? this.#refusing(request, index + 1) : undefined,',
    tests: ['contract/authorization.promised'],
  },
  {
    name: 'the gates behind one that promises its verdict are not asked',
    file: access,
    find: 'said === true ? this.#refusing(request, index + 1) : index,',
    replace: 'said === true ? undefined : index,',
    tests: ['contract/authorization.promised'],
  },
  {
    name: 'an identity that is promised is the promise',
    file: access,
    find: 'if (!isAwaited(identity)) return',
    replace: 'if (this.#gates.length >= 0) return',
    tests: ['contract/authorization.promised'],
  },
];
