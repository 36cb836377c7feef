import { mariaDbOnly, service } from '../support/contract.js';
import { expectRule, ledTrips } from './moved.records.js';

const { contract } = service(ledTrips, mariaDbOnly);

expectRule(contract);
