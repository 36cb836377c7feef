import { developmentIssuer } from './development.issuer.js';

const [, , sub, tenant] = process.argv;
const issuer = await developmentIssuer();
console.log(await issuer.token({ sub, tenant }));
