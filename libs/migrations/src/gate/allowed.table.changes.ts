import type { AlterTableType } from 'libpg-query';

/**
 * The actions of ALTER TABLE, VIEW, INDEX, SEQUENCE and TYPE that a target schema may have. They add or set. None
 * removes, and none sets what the diff tool does not compare (storage, compression, statistics, owners, tablespaces).
 */
export const allowedTableChanges = {
  AT_AddColumn: true,
  AT_AddConstraint: true,
  AT_AddIdentity: true,
  AT_AddInherit: true,
  AT_AttachPartition: true,
  AT_ColumnDefault: true,
  AT_DisableRule: true,
  AT_DisableTrig: true,
  AT_DisableTrigAll: true,
  AT_DisableTrigUser: true,
  AT_EnableAlwaysRule: true,
  AT_EnableAlwaysTrig: true,
  AT_EnableReplicaRule: true,
  AT_EnableReplicaTrig: true,
  AT_EnableRowSecurity: true,
  AT_EnableRule: true,
  AT_EnableTrig: true,
  AT_EnableTrigAll: true,
  AT_EnableTrigUser: true,
  AT_ForceRowSecurity: true,
  AT_ReplicaIdentity: true,
  AT_SetExpression: true,
  AT_SetIdentity: true,
  AT_SetNotNull: true,
  AT_SetRelOptions: true,
  AT_ValidateConstraint: true,
} as const satisfies Partial<Record<AlterTableType, true>>;
