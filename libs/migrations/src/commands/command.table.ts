import { apply } from './apply.command.js';
import { check } from './check.command.js';
import type { Command } from './command.context.js';
import { planExport } from './plan-export.command.js';
import { plan } from './plan.command.js';
import { version } from './version.command.js';

/** Every command, under its name on the wire (contract: Migrations). */
export const commands = {
  version,
  check,
  plan,
  plan_export: planExport,
  apply,
} as const satisfies Record<string, Command>;

/** The commands about the schemas of tenants, beside those that take `schemas`. */
export const schemaCommands = ['schemas', 'add_schema'] as const;

export type SchemaCommandName = (typeof schemaCommands)[number];

export type CommandName = keyof typeof commands;

export const commandNames = Object.keys(commands) as readonly CommandName[];

export function isSchemaCommand(name: unknown): name is SchemaCommandName {
  return schemaCommands.some((one) => one === name);
}

export function isCommandName(name: unknown): name is CommandName {
  return typeof name === 'string' && Object.hasOwn(commands, name);
}
