import { postgresqlOnly, service } from '../support/contract.js';
import { expectRule, ledTrips } from './moved.records.js';

const { contract } = service(
  ledTrips,
  postgresqlOnly.filter(({ database }) => database === 'postgresql'),
);

expectRule(contract);
