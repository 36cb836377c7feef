import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { ownEnvironment, repo } from '../packages/command.mjs';

/**
 * The environment of somebody who has this Node, npm, and nothing of the repository, but for two things: packages of ours
 * come from the registry of this machine, and the Nest CLI is the one that the lock file names, so that a later template
 * does not change the application behind our back.
 * @param {string} place
 * @param {string} registryUrl
 */
export async function readersEnvironment(place, registryUrl) {
  const bin = join(place, 'bin');
  const global = join(place, 'global');
  for (const folder of [bin, join(global, 'bin'), join(global, 'lib/node_modules/@nestjs')])
    await mkdir(folder, { recursive: true });
  await symlink(process.execPath, join(bin, 'node'));
  const cli = join(repo, 'node_modules/@nestjs/cli');
  await symlink(cli, join(global, 'lib/node_modules/@nestjs/cli'));
  await symlink(join(cli, 'bin/nest.js'), join(global, 'bin/nest'));
  const inherited = ownEnvironment();
  const configuration = join(place, 'npmrc');
  const machines = await readFile(inherited.npm_config_globalconfig ?? '', 'utf8').catch(() => '');
  await writeFile(configuration, `${machines}\n@nest-endpoints:registry=${registryUrl}\n`);
  const path = (inherited.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(repo));
  return {
    ...inherited,
    PATH: [bin, ...path].join(delimiter),
    CI: 'true',
    NO_COLOR: '1',
    npm_config_globalconfig: configuration,
    npm_config_prefix: global,
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
}
