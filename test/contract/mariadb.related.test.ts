import { mariaDbOnly, service } from '../support/contract.js';
import { expectOwnRelated, landKeys, lands } from './related.lands.js';

const { contract } = service(lands, mariaDbOnly);

contract(
  'On MariaDB related records are those of their owner however they spell its key',
  async (subject) => {
    const connection = subject.em().getConnection();
    for (const table of Object.keys(landKeys))
      await connection.execute(
        `alter table ${table} convert to character set utf8mb4 collate utf8mb4_general_ci`,
      );
    await expectOwnRelated(subject);
  },
);
