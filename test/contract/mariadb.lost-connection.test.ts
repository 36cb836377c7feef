import { mariaDbOnly, service } from '../support/contract.js';
import { cutting, expectPlaces, type Ends } from './cut.connections.js';

const ends: Ends = {
  own: 'select connection_id() as id',
  streaming: `select id from information_schema.processlist where info like 'select%book%' and id <> connection_id()`,
  end: (id) => `kill connection ${id}`,
};

const { contract } = service(cutting(ends), mariaDbOnly);

contract(
  'A transaction or a stream of own code whose connection to MariaDB is lost is a 503 at once, and leaves its place in the pool',
  (subject) => expectPlaces(subject, ends, 3000),
);
